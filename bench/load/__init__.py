"""Plays many organizations through their day at a chosen rate; see `__main__`."""
