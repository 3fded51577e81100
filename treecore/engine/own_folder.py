"""A folder among the temporary files that nobody else can write to or look into."""

import atexit
import os
import shutil
import stat
import tempfile
from functools import cache
from pathlib import Path


@cache
def own_folder(name: str) -> Path:
    """The folder of this user, the same in every process; one of this process alone, which goes with it, where somebody
    else has put something in its place.

    What is kept there may be trusted as what is kept in the home folder: another user can make a folder of any name
    among the temporary files before we do, or a link to one, and would decide what is read from it.
    """
    path = Path(tempfile.gettempdir()) / f"{name}-{os.getuid() if hasattr(os, 'getuid') else 'own'}"
    try:
        path.mkdir(mode=0o700, exist_ok=True)
        if is_own(path.lstat()):  # a link is none
            path.chmod(0o700)
            return path
    except OSError:
        pass  # no folder, or one that cannot be looked at
    made = Path(tempfile.mkdtemp(prefix=f"{name}-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def is_own(found: os.stat_result, others: int = stat.S_IWGRP | stat.S_IWOTH) -> bool:
    """Is it a folder of this user, into which none of these others can have put anything?"""
    if not stat.S_ISDIR(found.st_mode):
        return False
    return not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & others)
