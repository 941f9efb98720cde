"""Posters of films, drawn from their titles: the same film, the same picture."""
