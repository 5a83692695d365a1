"""The stored results of runs."""
