"""Refunds: what a cancellation owes, its record, and having the provider give it back."""
