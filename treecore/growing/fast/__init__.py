"""Growing by the fast kernels."""
