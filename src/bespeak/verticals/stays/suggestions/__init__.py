"""Prices that learn: suggested prices of nights, from the pace at which others like them sold."""
