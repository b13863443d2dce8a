"""Travel times and distances between coordinates."""
