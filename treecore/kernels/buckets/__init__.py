"""The fast kernels of large nodes: rows in buckets, counted."""
