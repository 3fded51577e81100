"""Who finds a node's split, and who may veto it."""
