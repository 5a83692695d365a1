"""Significance tests and win/tie/loss records, from the store's frame alone."""
