"""The house of the demo: a venue with two halls, six productions, some weeks of performances."""
