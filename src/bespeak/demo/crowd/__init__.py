"""A crowd of simulated buyers, for `bespeak rush`: what they know, what they do, and what they say
they were given.
"""
