"""The visitors' door: people without an account who hold a link."""
