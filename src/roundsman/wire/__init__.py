"""JSON of the interface: request bodies, field masks, what differs from the domain's shape."""
