"""The nouns of delivery, their rules and their transitions; no time of day, files or frameworks."""
