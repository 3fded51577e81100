"""`python -m treecore` is the command line."""

import sys

from treecore.command_line.main import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
