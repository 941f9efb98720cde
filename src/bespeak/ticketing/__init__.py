"""Tickets: what lets one in. Each unit of a booking has a ticket with a signed code, which can be
verified without a network; the documents that carry it; and the check-in, which admits once.
"""
