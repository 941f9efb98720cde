"""The demo: sample resources and a crowd of buyers, for trying. Production needs nothing of it."""
