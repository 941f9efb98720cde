"""Reconciliation: a provider's books held against our record of payments."""
