"""Reading in a process of its own: for libraries that a damaged file can bring down, or lead to any amount of memory.

What the process says is JSON and bytes; nothing of it is unpickled.
"""

import json
import os
import struct
import subprocess
import sys
from importlib import import_module
from pathlib import Path

from treecore.data.options import ReadOptions
from treecore.data.readers.source import Source, TooManyColumns, gigabytes, limit_of
from treecore.errors import TreecoreError

FUNCTIONS = {
    "statistical": "statistical:columns_of_file",
    "r": "statistical:columns_of_r",
    "xls": "workbook:sheet_of_file",
}
"""Question -> function of this package, (Source, ReadOptions) -> (what JSON can say, bytes)."""
SECONDS = 300
ASIDE = 4 << 30  # addresses that Python and its libraries take without a table
PASSED = ("part", "columns", "max_columns")
HEAD = struct.Struct(">Q")


def ask(question: str, source: Source, options: ReadOptions) -> tuple[dict, bytes]:
    """The answer of one of FUNCTIONS, given in a process of its own.

    TreecoreError as the function raises it, or when the process ends without an answer.
    """
    settings = {name: getattr(options, name) for name in PASSED} | {"max_memory": limit_of(options)}
    if sys.platform in ("emscripten", "wasi"):  # there are no processes there
        return _answer(question, source, ReadOptions(**settings))
    asked = json.dumps({"question": question, "name": source.name, "settings": settings}).encode()
    root = str(Path(__file__).resolve().parents[3])
    paths = os.pathsep.join(path for path in (root, os.environ.get("PYTHONPATH", "")) if path)
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "treecore.data.readers.reader_process"],
            input=HEAD.pack(len(asked)) + asked + source.content,
            capture_output=True,
            timeout=SECONDS,
            env=os.environ | {"PYTHONPATH": paths, "TREECORE_BACKGROUND": "0"},
            check=False,
        ).stdout
        reply, payload = _head_and_payload(done)
    except (subprocess.TimeoutExpired, struct.error, ValueError):
        raise TreecoreError(
            f"The file is damaged, or reading it takes more than {gigabytes(limit_of(options))} of memory, the limit",
            where=f"File '{source.name}'",
            remedy="Save it again, export the table as CSV, or raise the limit",
            setting="max_memory",
        ) from None
    fault = reply.pop("fault", None)
    if fault is None:
        return reply, payload
    if fault["names"]:
        raise TooManyColumns.of(fault["names"], options.max_columns, fault["where"])
    raise TreecoreError(fault["what"], where=fault["where"], remedy=fault["remedy"], setting=fault["setting"])


def _head_and_payload(message: bytes) -> tuple[dict, bytes]:
    """(what is said as JSON, the bytes behind it)."""
    end = HEAD.size + HEAD.unpack_from(message)[0]
    return json.loads(message[HEAD.size : end]), message[end:]


def _answer(question: str, source: Source, options: ReadOptions) -> tuple[dict, bytes]:
    module, function = FUNCTIONS[question].split(":")
    return getattr(import_module(f"treecore.data.readers.{module}"), function)(source, options)


def main() -> None:
    """Answer what is asked on stdin."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # whatever a library prints is no part of the answer
    asked, data = _head_and_payload(sys.stdin.buffer.read())
    options = ReadOptions(**asked["settings"])
    _limit_memory(limit_of(options) + 2 * len(data) + ASIDE)
    try:
        reply, payload = _answer(asked["question"], Source(asked["name"], data=data), options)
    except TreecoreError as error:
        fault = {name: getattr(error, name) for name in ("what", "where", "remedy", "setting")}
        reply, payload = {"fault": fault | {"names": getattr(error, "names", ())}}, b""
    head = json.dumps(reply).encode()
    out.write(HEAD.pack(len(head)) + head + payload)
    out.flush()
    os._exit(0)  # what a library has broken is not put in order any more


def _limit_memory(n_bytes: int) -> None:
    """Where the system can: an allocation beyond it fails, and ends this process alone."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (n_bytes, n_bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, ValueError, OSError):
        return


if __name__ == "__main__":
    main()
