"""Seats: the open seat map, its rule, and the best seats of it."""
