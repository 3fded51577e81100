"""From columns to ranks, keys and orders."""
