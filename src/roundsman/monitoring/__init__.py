"""The operator's door: is it alive, is it ready, how is it doing."""
