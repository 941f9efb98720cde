"""Webhooks: signed messages about events, sent to programs of the operator's."""
