"""Every number of a tree with the arithmetic behind it, in the user's own counts."""
