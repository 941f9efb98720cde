"""The day's work of a house: who is where, who comes and goes, and what the nights bring."""
