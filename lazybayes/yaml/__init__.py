"""YAML files with the place of everything in them."""
