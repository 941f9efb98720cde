"""Time for the plans: instants, hours of the week, and the raster of claims."""
