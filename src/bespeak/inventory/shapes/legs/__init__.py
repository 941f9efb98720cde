"""Legs: seats between the stops of a run."""
