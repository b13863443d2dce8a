"""The interface of 2024-07: its bodies, and what differs from the domain's own shape."""
