"""JSON of the interface: request bodies, field masks, and what differs from the domain's own shape."""
