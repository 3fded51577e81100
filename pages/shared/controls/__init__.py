"""The sidebar: every setting of growing and pruning."""
