"""Sending events to their receivers; knows no database and no noun but what is sent."""
