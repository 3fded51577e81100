"""The parts of the page Regions."""
