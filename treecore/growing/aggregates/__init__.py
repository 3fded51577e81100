"""Growing from sums alone: an engine counts its rows by node, feature and code; splits are found as in memory."""
