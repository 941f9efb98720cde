"""Waitlists: what comes back of what is sold out goes to those who wait, as a real hold."""
