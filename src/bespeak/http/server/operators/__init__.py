"""Operators: the people at the console. Their accounts and roles, how they prove who they are, and
their sessions. To all else an operator is a caller like a restricted key.
"""
