"""Side-by-side comparison of our order with other engines' on the same matrices."""
