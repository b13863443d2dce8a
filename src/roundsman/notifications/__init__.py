"""Messages to people: their texts, e-mail over SMTP, and gateways for text messages over HTTP."""
