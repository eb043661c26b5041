"""Readers for the formats of sites, one module each."""
