"""Discrete Bayesian belief networks: files, exact and sampled answers, learning from data, pictures (Mitchell 6.11)."""
