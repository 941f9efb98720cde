"""The search of stays: an index in memory that follows the feed, and its answers."""
