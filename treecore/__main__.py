"""`python -m treecore explore [streamlit options]` starts the app, from a checkout or from an install."""

import os
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
FOLDERS = (PACKAGE.parent, PACKAGE / "_app")


def main(arguments: list[str]) -> int:
    """Run the one command there is; returns the exit code."""
    if arguments[:1] != ["explore"]:
        print("usage: python -m treecore explore [streamlit options]", file=sys.stderr)
        return 2
    folder = next((f for f in FOLDERS if (f / "streamlit_app.py").is_file()), None)
    if folder is None:
        print("The app's files are not installed: install treecore[app] again.", file=sys.stderr)
        return 1
    # Streamlit reads .streamlit/config.toml of the folder it is started in
    os.chdir(folder)
    os.execv(sys.executable, [sys.executable, "-m", "streamlit", "run", "streamlit_app.py", *arguments[1:]])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
