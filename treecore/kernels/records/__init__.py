"""The fast kernels of small nodes: sorted records in blocks."""
