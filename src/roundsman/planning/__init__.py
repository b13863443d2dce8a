"""The engine: visits, a travel matrix and a budget in, the best order and its schedule out."""
