"""Money: payments and their providers, from the hold to the refund. The record is the
database's.
"""
