"""Sends events to their receivers; knows neither the database nor what an event is about."""
