"""Doors without HTTP: what goes on beside the requests, in the server or in other processes."""
