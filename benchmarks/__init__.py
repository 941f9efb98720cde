"""Measures Bespeak against the ordinary ways to sell a seat, on one machine, in one run.

`python -m benchmarks [ONLY]` runs the cases, prints one table each and writes
`benchmarks/results/latest.json`.
"""
