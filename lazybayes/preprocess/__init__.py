"""Imputation and discretization, fitted on training rows."""
