"""A made-up day of a test organization, driven through the real doors (decisions §16, issue texts).

Planning, dispatch, the drivers' devices and their journals are those of the service; what is made
up are customers, traffic and what drivers do. Time is a clock of the day's own.
"""
