"""What one user has chosen and done, and what of it survives a reload."""
