"""Untrusted pictures: decoded within limits, and encoded again without their metadata."""
