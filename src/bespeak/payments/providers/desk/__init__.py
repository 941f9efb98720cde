"""The desk: a payment provider whose money people take and give back by hand."""

from bespeak.payments.providers.desk.desk import METHODS, Desk

__all__ = ["METHODS", "Desk"]
