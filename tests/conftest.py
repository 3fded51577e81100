"""Random examples: always new ones at a desk, always the same ones where a verdict must not hang on luck.

Before all tests are run, the kernels are compiled once, not by every worker for itself.
"""

import gc
import multiprocessing
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# what is compared with the kernels must come from the kernels, also where none is compiled yet
os.environ.setdefault("TREECORE_UNCOMPILED", "0")
# no test is about time, which is the machine's
settings.register_profile("desk", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("desk"), derandomize=True)
IN_CI = os.environ.get("CI") == "true"
settings.load_profile("ci" if IN_CI else "desk")

if sys.dont_write_bytecode:
    # Every worker and every server would compile all that it imports, for longer than most tests take: out of the way.
    sys.pycache_prefix = str(Path(__file__).resolve().parents[1] / ".pytest_cache" / "bytecode")
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix

COMPILED = pytest.StashKey[list]()
TESTS = Path(__file__).parent
BROWSER = TESTS / "browser"
BROWSERS = 2
"""Workers that may drive one at the same time: more take the processor from each other."""


def pytest_configure(config):
    """Compile while the workers start. Who asks for some tests only waits for no kernel that they do not use."""
    is_worker = hasattr(config, "workerinput")
    if _is_whole(config) and not is_worker and config.getoption("numprocesses", None):
        config.stash[COMPILED] = _compiled()


def _is_whole(config) -> bool:
    """No files or tests were asked for by name."""
    return config.args_source is config.ArgsSource.TESTPATHS


def _compiled() -> list:
    """A future for each chain of parts of the kernels that are not in the cache yet."""
    from treecore import warm
    from treecore.engine import compiling

    chains = [[part for part in chain if not compiling.is_cached(part)] for chain in warm.CHAINS]
    pool = ProcessPoolExecutor(len(chains), multiprocessing.get_context("spawn"))
    futures = [pool.submit(_warm_all, chain) for chain in chains if chain]
    pool.shutdown(wait=False)
    return futures


def _warm_all(parts: list[str]) -> None:
    from treecore import warm

    for part in parts:
        warm.warm(part)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session):
    """What is collected stays to the end: the search for garbage goes through it neither now nor later."""
    gc.disable()
    try:
        if _is_whole(session.config) and hasattr(session.config, "workerinput"):
            _import_share(**session.config.workerinput)
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def _import_share(workerid: str, workercount: int, **_) -> None:
    """Python compiles a file where it is first imported: each worker begins with other files, not all with the same.

    What cannot be imported is said when it is collected.
    """
    paths = sorted(TESTS.rglob("test_*.py"))
    share, worker = -(-len(paths) // workercount), int(workerid.removeprefix("gw"))
    for path in paths[worker * share : (worker + 1) * share]:
        with suppress(Exception, pytest.skip.Exception):
            import_module(".".join(path.relative_to(TESTS.parent).with_suffix("").parts))


def pytest_collection_modifyitems(items):
    """Those of the browser come first."""
    items.sort(key=lambda item: BROWSER not in item.path.parents)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Where everything is installed a test that is skipped is a fault: what was not tried is not known to work."""
    return _tried((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """The same for a file that skips itself."""
    return _tried((yield))


def _tried(report):
    if IN_CI and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome, report.longrepr = "failed", f"skipped: {report.longrepr}"
    return report


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """One worker runs all tests of a file, which share what is costly to make. Those of the browser take longest, one
    after the other, and wait half of the time: two workers begin with them, the others at the other end of the list."""
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _assign_work_unit(self, node) -> None:
            if self.nodes.index(node) >= BROWSERS:
                self.workqueue.move_to_end(next(reversed(self.workqueue)), last=False)
            super()._assign_work_unit(node)

    return Scheduling(config, log)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node, ids):
    """No test starts before that."""
    for part in node.config.stash.get(COMPILED, []):
        part.result()
