"""Ids of teams: each has that of its resource."""

from bespeak import ids

KIND = "appointments"
"""The kind of a team's resource."""
TEAM_PATTERN = f"^{ids.RESOURCE}_[0-9a-hjkmnp-tv-z]{{8}}$"
