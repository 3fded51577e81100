"""Exercise sheets made from any table, with keys whose arithmetic is complete."""
