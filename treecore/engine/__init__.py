"""Compiling kernels and keeping them: the only import of numba, and the process that compiles ahead of time."""
