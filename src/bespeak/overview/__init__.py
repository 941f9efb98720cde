"""What an operator sees at a glance: counts over time, resources, waiting work, advice."""
