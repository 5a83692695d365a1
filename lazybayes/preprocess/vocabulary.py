"""Documents as counts of words, by scikit-learn's CountVectorizer.

A word is two or more letters, digits or underscores in a row, in lower case: scikit-learn's own default. Nothing is
stemmed and no stop list is used.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from scipy.sparse import csr_matrix

from lazybayes.counts.codes import Documents
from lazybayes.data.table import Table
from lazybayes.errors import DataError

WORD = r"(?u)\b\w\w+\b"


def count_words(texts: Iterable[str | None], name: str) -> Documents:
    """The words of some texts. A missing text (None) has no words. name: of the attribute they stand in."""
    from sklearn.feature_extraction.text import CountVectorizer

    documents = ["" if text is None else text for text in texts]
    vectorizer = CountVectorizer(token_pattern=WORD, dtype=np.int32)
    try:
        counts = vectorizer.fit_transform(documents)
    except ValueError:  # scikit-learn's word for texts without a word
        return Documents(name, np.empty(0, dtype=object), csr_matrix((len(documents), 0), dtype=np.int32))
    return Documents(name, vectorizer.get_feature_names_out(), csr_matrix(counts))


@lru_cache(maxsize=2)
def documents(table: Table) -> Documents | None:
    """The words of the table's text attribute, None if it has none: counted once, for all folds and learners.

    Raises DataError if several attributes are text.
    """
    texts = [pair for pair in zip(table.attributes, table.columns, strict=True) if pair[0].kind == "string"]
    if len(texts) > 1:
        names = ", ".join(attribute.name for attribute, _ in texts)
        raise DataError(f"{table.name}: the columns {names} are text; a document is one of them: drop the others")
    return count_words(texts[0][1], texts[0][0].name) if texts else None
