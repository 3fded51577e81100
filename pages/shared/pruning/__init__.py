"""The parts of the pages Size & pruning and Court."""
