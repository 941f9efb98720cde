"""One behaviour through three doors: the library, SQL, HTTP."""
