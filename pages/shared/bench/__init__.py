"""The workbench: the tree on its canvas, what stands beside it, and the strip above."""
