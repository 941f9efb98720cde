"""What can be sold: resources, their plans, what of them is taken, and blocks."""
