"""What becomes of the bytes of a file that was given, and what is said where there is no room for its table."""

import subprocess
import sys
from pathlib import Path

import pytest
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from pages.shared.session import uploaded_file
from pages.shared.session.uploaded_file import KeptFile

SMALL = b"x,y\n" + b"1.5,a\n2.5,b\n" * 20


def test_a_large_file_is_kept_on_the_disk_and_a_small_one_in_memory(monkeypatch):
    monkeypatch.setattr(uploaded_file, "MOST_IN_MEMORY", 100)
    large = KeptFile("f.csv", SMALL)
    assert large._file.fileno() > 0
    assert large.content() == large.content() == SMALL
    assert KeptFile("f.csv", b"x").content() == b"x"


def test_without_room_on_the_disk_it_stays_in_memory(monkeypatch):
    def full():
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(uploaded_file, "MOST_IN_MEMORY", 100)
    monkeypatch.setattr(uploaded_file, "TemporaryFile", full)
    assert KeptFile("f.csv", SMALL).content() == SMALL


def test_the_server_keeps_no_copy_of_an_upload(app, monkeypatch):
    held, remove = [], MemoryUploadedFileManager.remove_file

    def watched(manager, *which):
        held.append(manager._total_bytes)
        remove(manager, *which)
        held.append(manager._total_bytes)

    monkeypatch.setattr(MemoryUploadedFileManager, "remove_file", watched)
    app.uploader("upload").upload("mine.csv", SMALL, "text/csv")
    assert "40 rows" in app.run().text()
    assert held == [len(SMALL), 0]


def test_a_large_file_is_read_again_with_other_options(app, monkeypatch):
    monkeypatch.setattr(uploaded_file, "MOST_IN_MEMORY", 100)
    app.upload(b"x;y\n" + b"1,5;a\n2,5;b\n-999;a\n" * 10, "mine.csv")
    app.set("delimiter", "\t")
    assert app.own["raw table"].names != ("x", "y")
    app.set("delimiter", ";")
    assert app.own["raw table"].names == ("x", "y")


LIMITED = """
import re, resource, sys
from pathlib import Path
from streamlit.testing.v1 import AppTest

def rows(n):
    cells = (f"{i * 7919 % 100003}.5,{i * 104729 % 99991}.25,{'yn'[i % 5 > 2]}" for i in range(n))
    return ("a,b,kind\\n" + "\\n".join(cells)).encode()

def give(name, content):
    [upload] = [w for w in at.file_uploader if w.key.startswith("upload ")]
    upload.upload(name, content, "text/csv")
    at.run()

at = AppTest.from_file(sys.argv[1], default_timeout=100).run()
give("small.csv", rows(200))
large = rows(800_000)
at.switch_page("pages/data.py").run()
used = int(re.search(r"VmSize:\\s+(\\d+)", Path("/proc/self/status").read_text()).group(1)) * 1024
resource.setrlimit(resource.RLIMIT_AS, (used + 40_000_000, resource.RLIM_INFINITY))
give("large.csv", large)
print("said:", *[e.value for e in at.error])
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
at.switch_page("pages/grow.py").run()
print("then:", *[m.value for m in at.markdown], *[e.value for e in at.error])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads the process's memory from /proc")
def test_where_memory_ends_it_is_said_and_the_app_goes_on():
    entry = Path(__file__).resolve().parents[2] / "streamlit_app.py"
    ran = subprocess.run(
        [sys.executable, "-c", LIMITED, str(entry)], capture_output=True, text=True, timeout=120, cwd=entry.parent
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    said, then = ran.stdout.split("then:")
    assert "not enough" in said
    assert "should not have" not in said
    assert "rows, 3 columns" in then
    assert "error" not in then.lower()
