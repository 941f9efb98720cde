"""What a cinema does unless an operator says otherwise: how long seats are kept, how many tickets
one customer may have, how long a screen is cleaned. Each is a field of `forms.py`, and may be
set by show or by screen.
"""

# While a visitor chooses and pays, and at most with extensions.
HOLD_SECONDS = 420
HOLD_SECONDS_MAX = 840

# Tickets of one customer for one show, holds and bookings together.
OWNER_LIMIT = 10

# How a film is shown where nothing is said.
FORMAT = "2D"

# After each show, before the next one may begin in the same screen.
CLEANING_MINUTES = 15
