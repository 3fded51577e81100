"""A server that ends with whoever started it, also with one that was killed.

`python -m tests.browser.served MODULE ...` runs `python -m MODULE ...` until its standard input ends: once nobody holds
the other side of that pipe.
"""

import os
import runpy
import sys
import threading


def _end_with_input() -> None:
    while os.read(0, 1024):  # not sys.stdin: its lock would be held while the interpreter ends
        pass
    os._exit(0)


if __name__ == "__main__":
    threading.Thread(target=_end_with_input, daemon=True).start()
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
