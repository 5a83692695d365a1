"""Measures of a classifier, computed from its stored predictions."""
