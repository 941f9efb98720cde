"""The trades that Bespeak serves out of the box: each a catalogue, a plan and default times."""
