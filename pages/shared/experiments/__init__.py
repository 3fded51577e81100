"""The parts of the page Experiments, one file for each of them."""
