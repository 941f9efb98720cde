"""Mail: messages about events, sent to buyers."""
