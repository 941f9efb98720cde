"""Waiting rooms: who may buy when more come than can be served. A queue whose state is a few
numbers, passes that every worker can judge by itself, and a pace that knows what is left to buy.
"""
