"""From routes to the planning engine and back: problems, orders, times, violations and advice.

It knows routes, roads and the engine. Who asks, and where a route is stored, is left to operations.
"""
