"""Analysis: decisions, an engine's evaluation of each, and the figures computed from them."""
