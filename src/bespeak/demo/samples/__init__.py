"""Samples: one resource of each shape of inventory, as the demo shows them."""
