"""Sending rows down a tree."""
