"""JSON of the driver's door: journals read, answers written."""
