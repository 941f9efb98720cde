"""Payment providers: the seam, and those behind it, a folder each."""
