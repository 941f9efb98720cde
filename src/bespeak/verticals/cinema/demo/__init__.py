"""The cinemas of the demo: everything in them is invented but the cities."""
