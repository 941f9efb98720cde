"""What is known of an owner: its export, its erasure, and the erasures after a restore."""
