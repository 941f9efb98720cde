"""Budgets of guests: what one guest, and one address, may keep of a sale for nothing."""
