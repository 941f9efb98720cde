"""Pure logic: no database, no clock but what a test gives."""
