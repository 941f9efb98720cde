"""What every call needs: the application, authentication, limits, problems, metrics, OpenAPI."""
