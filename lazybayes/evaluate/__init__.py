"""Splits, metrics, the runner, the result store."""
