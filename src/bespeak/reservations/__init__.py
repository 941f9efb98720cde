"""The heart: holds and bookings, their verbs, the committer that batches them, and expiry."""
