"""The customers' door: who holds the link of a delivery follows it, and says what they think."""
