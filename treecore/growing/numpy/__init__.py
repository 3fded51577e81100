"""The grower in NumPy: the same tree without a compiler, for the first trees of a process.

Each file is the twin of the kernels that it names: the same arrays go in and are written to, sums are made in the same
order, and all nodes of a level and all features are worked on at once.
"""
