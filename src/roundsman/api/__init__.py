"""The public interface's door: HTTP in, HTTP out."""
