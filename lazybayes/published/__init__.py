"""Published numbers, and how far a run is from them."""
