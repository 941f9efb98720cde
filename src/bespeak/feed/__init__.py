"""The event feed: gap-free, causes before effects, for every follower."""
