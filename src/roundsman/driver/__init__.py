"""The driver's door: a JSON interface for a device that is often offline."""
