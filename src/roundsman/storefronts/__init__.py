"""Orders of other platforms: what their shops say of days and hours, and who signs their hooks."""
