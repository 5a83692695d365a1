"""Tree-augmented naive Bayes: each attribute may have one other attribute as a parent beside the class."""
