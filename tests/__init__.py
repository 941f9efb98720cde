"""All tests, one folder a layer; each layer says in its own header what it is for."""
