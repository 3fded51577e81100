"""A node of a grown tree, searched once more: candidates, landscape, why it is a leaf."""
