"""The planner's door: a board that runs in the browser and speaks the public interface."""
