"""Made-up coasts: land on the left of each line, water on its right."""

import shapely

FRAME = shapely.box(10.0, 50.0, 10.1, 50.1)
type Line = list[tuple[float, float]]

# The sea in the south: the line runs eastward, with the land in the north on its left.
SOUTHERN_SEA: Line = [(9.9, 50.04), (10.05, 50.05), (10.2, 50.04)]
# An island in it goes round against the clock.
ISLAND: Line = [(10.04, 50.01), (10.06, 50.01), (10.06, 50.02), (10.04, 50.02), (10.04, 50.01)]
# A lagoon in the land goes round with the clock.
LAGOON: Line = [(10.04, 50.07), (10.04, 50.09), (10.06, 50.09), (10.06, 50.07), (10.04, 50.07)]
