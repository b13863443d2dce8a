"""Streets to look at: vector tiles made from the operator's own extract, kept, and read again."""
