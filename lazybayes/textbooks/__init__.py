"""The worked examples of textbooks."""
