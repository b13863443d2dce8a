"""What the members' door reads and answers."""
