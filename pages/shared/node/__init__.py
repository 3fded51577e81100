"""The selected node: its rows, its split, and the splits that lost."""
