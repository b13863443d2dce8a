"""Background work, in threads of the server or in processes of its own."""
