"""What becomes of the bytes of a file that was given."""

from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from pages.shared.session import kept_file
from pages.shared.session.kept_file import KeptFile

SMALL = b"x,y\n" + b"1.5,a\n2.5,b\n" * 20


def test_a_large_file_is_kept_on_the_disk_and_a_small_one_in_memory(monkeypatch):
    monkeypatch.setattr(kept_file, "MOST_IN_MEMORY", 100)
    large = KeptFile("f.csv", SMALL)
    assert large._file.fileno() > 0
    assert large.content() == large.content() == SMALL
    assert KeptFile("f.csv", b"x").content() == b"x"


def test_without_room_on_the_disk_it_stays_in_memory(monkeypatch):
    def full():
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(kept_file, "MOST_IN_MEMORY", 100)
    monkeypatch.setattr(kept_file, "TemporaryFile", full)
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
    monkeypatch.setattr(kept_file, "MOST_IN_MEMORY", 100)
    app.upload(b"x;y\n" + b"1,5;a\n2,5;b\n-999;a\n" * 10, "mine.csv")
    app.set("delimiter", "\t")
    assert app.own["raw table"].names != ("x", "y")
    app.set("delimiter", ";")
    assert app.own["raw table"].names == ("x", "y")
