"""What guests who stayed think of a property: given by them, read by all, shown or hidden."""
