"""The engine on a real PostgreSQL, one verb at a time."""
