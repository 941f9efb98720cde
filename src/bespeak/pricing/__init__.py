"""Prices: rules, quotes and refunds. Pure arithmetic on integers of minor units."""
