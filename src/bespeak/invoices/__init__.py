"""Invoices and credit notes of what was paid and given back: their numbers, content, documents."""
