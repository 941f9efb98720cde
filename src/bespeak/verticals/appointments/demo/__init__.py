"""The teams of the demo: a practice and tennis courts, with appointments over the coming days."""
