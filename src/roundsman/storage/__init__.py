"""SQL on SQLite and PostgreSQL: one file a noun; nobody below or beside it knows SQL."""
