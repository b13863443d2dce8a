"""Pictures from strangers: decoded, bounded, and written anew without what came with them."""
