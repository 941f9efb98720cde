"""Nights: stays in exact rooms, or in rooms of a type."""
