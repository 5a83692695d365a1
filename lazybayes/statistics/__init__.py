"""Comparisons of algorithms: tests, records, ranks."""
