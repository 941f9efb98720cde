"""The stays of the demo: every house in them is invented, and only the cities are real."""
