"""Moments: exact ranges on a raster."""
