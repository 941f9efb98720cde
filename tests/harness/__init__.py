"""What the tests build on: databases, clocks, shows, engines, walks through the API."""
