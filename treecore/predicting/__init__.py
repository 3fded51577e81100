"""Asking a tree: a whole table, one row step by step, and what would have to change."""
