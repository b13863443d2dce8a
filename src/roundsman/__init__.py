"""Roundsman: stops in, best route out, proof at the door."""
