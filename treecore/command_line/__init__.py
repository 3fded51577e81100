"""treecore in a terminal: grow, prune, predict, export, rules, show, and the app."""
