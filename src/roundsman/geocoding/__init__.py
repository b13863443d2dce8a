"""Addresses to coordinates."""
