"""treecore: grow, prune, judge and show decision trees."""
