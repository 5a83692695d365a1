"""Fixtures of this folder."""

from tests.experiments import data, entry, experiment, table, toys

__all__ = ["data", "entry", "experiment", "table", "toys"]
