"""Tests that need a service beside PostgreSQL; `make test-services` installs what is missing."""
