"""Races. Each has a control that shows the race where the guard is missing."""
