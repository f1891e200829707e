"""Regions of the world as rules about applicants name them, with who belongs to each and since when."""
