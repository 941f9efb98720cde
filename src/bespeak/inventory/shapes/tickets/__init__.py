"""Tickets: numbers that are handed out in order."""
