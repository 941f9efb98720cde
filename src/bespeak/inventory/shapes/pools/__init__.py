"""Pools: what is only counted, and products that draw from several pools at once."""
