"""Times: appointments by weekly rules; and instants, hours and the raster of moments too."""
