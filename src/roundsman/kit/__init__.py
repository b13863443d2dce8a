"""Machinery that knows nothing of deliveries: ids, clock, durations, cursors."""
