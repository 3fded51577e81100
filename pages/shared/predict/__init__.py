"""The parts of the page Predict."""
