"""PostgreSQL: connections, the embedded server, migrations and named queries."""
