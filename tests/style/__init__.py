"""The house style, tested: what lint and types cannot see. Reads files, imports nothing of ours."""
