"""What is asked for: settings, their registries, and what both come to on a table."""
