"""The parts of the page Segments: the skyline, its line and the flag rule, and the segments in numbers."""
