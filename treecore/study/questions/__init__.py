"""The questions of the page Experiments, one file each: how they are answered, and what their answers come to."""
