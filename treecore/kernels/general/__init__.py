"""The small kernels that grow any tree."""
