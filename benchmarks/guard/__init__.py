"""Compares the speed of this working tree with that of a commit, row by row and in turn.

One harness measures both: this tree's load generator drives each tree's server and library by what
they promise to the outside alone, the command line, the HTTP API and the public names. So a commit
that moved everything inside can be compared; one that changed those rows' API cannot.
"""
