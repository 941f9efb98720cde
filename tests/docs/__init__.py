"""The documentation, tested: what it says is there is there, and what it shows runs."""
