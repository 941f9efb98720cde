"""What is known of an owner: its export, its erasure, and erasures that are done again after a restore."""
