"""Learners: one file a family, a registry by name."""
