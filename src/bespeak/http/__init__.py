"""The HTTP API: endpoints, keys, problems, OpenAPI, metrics."""
