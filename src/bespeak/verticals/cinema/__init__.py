"""Cinemas: screens with seats, films, and a week of shows."""
