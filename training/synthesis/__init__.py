"""Queries written from facts, and how well a record answers them: the synthetic part of the training data."""
