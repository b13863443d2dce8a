"""What all doors share: errors in HTTP, bodies, paths, the way a request came, its rate."""
