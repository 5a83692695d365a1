"""Data sets: readers, sources, the catalogue."""
