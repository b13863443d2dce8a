"""The assistants' door: what a language model may see and propose (Model Context Protocol)."""
