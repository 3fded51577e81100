"""How the command line tells the app which file to begin with."""

OPENED = "TREECORE_FILE"
"""The environment variable with the file's path."""
