"""Calendars: iCalendar feeds out, and iCalendar entries in as blocks."""
