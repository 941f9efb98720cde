"""The HTTP API: its contract, its errors, its keys, and what it does when things go wrong."""
