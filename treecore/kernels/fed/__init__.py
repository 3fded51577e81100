"""A tree that is fed with rows: nodes that keep their rows in order, and are searched again where a row may matter."""
