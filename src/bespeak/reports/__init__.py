"""Reports: what was sold, taken and given back in a day."""
