"""What can be done: one file a noun, one function a verb, one transaction."""
