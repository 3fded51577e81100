"""Servers that tests and measurements start."""

import subprocess
import sys

from tests.browser.running import ROOT

STARTS = """
import time
from tests.browser.running import started
started("timeit", "-n1", "import time; print('started', flush=True); time.sleep(600)")
time.sleep(600)
"""


def test_a_server_ends_with_a_process_that_was_killed():
    """Both write to the pipe that is read here: its end is the end of both."""
    command = [sys.executable, "-c", STARTS]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as starter:
        assert starter.stdout.readline() == b"started\n"
        starter.kill()
        starter.communicate(timeout=60)
