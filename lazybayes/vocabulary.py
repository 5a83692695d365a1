"""The names that a config or the command line accepts where a choice is made.

This module imports nothing, so that `--help` and the reader of configs are quick. What a name means stands where it is
carried out; `tests/test_vocabulary.py` holds each list against it.
"""

IMPUTATIONS = ("none", "mode-mean")
BINNERS = ("equal-width", "equal-frequency")
"""The discretizers that have a number of bins."""
DISCRETIZERS = ("mdl", *BINNERS)
FIT_ROWS = ("training-fold", "all-rows")
"""The rows that preprocessing is fitted on."""
INPUTS = ("categorical", "one-hot", "ordinal")
"""The forms in which a foreign estimator gets nominal attributes."""
ESTIMATES = ("m-estimate", "laplace", "friedman", "dirichlet", "frequency")
AUC_RULES = ("present-pairs", "declared-pairs", "declared-one-sided")
CONTENTS = ("all", "sd", "mean", "se", "ratio", "records", "description")
"""What a table shows."""
FORMATS = ("text", "markdown", "latex", "csv", "html")
"""The formats of tables."""
