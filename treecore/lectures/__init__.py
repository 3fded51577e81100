"""The worked examples of five lecture notes on decision trees: what they print, where, and what we compute."""
