"""What an edit of a kernel makes compile again: processor seconds of the edited functions and of all that call them.

    uv run python -m benchmarks.compiling [TIMES.json]

Everything is compiled once, in a process with an empty cache, each function timed without those it calls. What an edit
makes stale follows from what calls what, so nothing is compiled a second time; TIMES.json keeps the times, and is read
where it is there. Of each file: what the edit of one of its functions costs, in the mean and at most. Of the last
commits that edited kernels: what those did whose functions are still there.
"""

import ast
import importlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import mean, median

from numba.core.dispatcher import Dispatcher

from treecore import warm
from treecore.engine import kernel_cache

N_COMMITS = 60
HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


def timed() -> dict[str, float]:
    """Function -> processor seconds, of everything that is compiled, in this process."""
    found, within, compile_one = defaultdict(float), [0.0], Dispatcher.compile

    def watched(self, signature):
        before = time.process_time()
        within.append(0.0)
        made = compile_one(self, signature)
        spent, inside = time.process_time() - before, within.pop()
        within[-1] += spent
        found[kernel_cache._place(self.py_func)] += spent - inside
        return made

    Dispatcher.compile = watched
    for chain in warm.CHAINS:
        for part in chain:
            warm.warm(part)
    return found


def timed_anew() -> dict[str, float]:
    """The same, of a process with an empty cache."""
    with tempfile.TemporaryDirectory() as empty:
        environment = os.environ | {"NUMBA_CACHE_DIR": empty, "TREECORE_BACKGROUND": "0"}
        command = [sys.executable, "-m", "benchmarks.compiling", "--within"]
        return json.loads(subprocess.run(command, env=environment, check=True, capture_output=True).stdout)


def callers() -> dict[str, set[str]]:
    """Every compiled function -> those that call it, directly or not, and itself."""
    direct = defaultdict(set)
    for path in kernel_cache.kernel_files():
        parts = path.relative_to(kernel_cache.PACKAGE).with_suffix("").parts
        module = importlib.import_module(".".join(("treecore", *(part for part in parts if part != "__init__"))))
        for value in vars(module).values():
            if isinstance(value, Dispatcher):
                kernel_cache.code_hash(value)
    for compiled, (_, called) in kernel_cache._dependencies.items():
        for callee in called:
            direct[kernel_cache._place(callee.py_func)].add(kernel_cache._place(compiled.py_func))
    return {
        kernel_cache._place(one.py_func): _reached(kernel_cache._place(one.py_func), direct)
        for one in kernel_cache._dependencies
    }


def _reached(name: str, direct: dict[str, set[str]]) -> set[str]:
    found, waiting = set(), [name]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += direct[one]
    return found


def edited() -> Iterator[tuple[str, list[str]]]:
    """(commit, functions that it edited), of the last commits that edited kernels; only code counts, no remarks."""
    folders = [str(kernel_cache.PACKAGE / folder) for folder in kernel_cache.KERNEL_FOLDERS]
    for commit in _git("log", f"-{N_COMMITS}", "--format=%h", "--", *folders).split():
        found = []
        for name in _git("diff", "--name-only", "--diff-filter=AM", f"{commit}~", commit, "--", *folders).split():
            lines = _git("diff", "-U0", f"{commit}~", commit, "--", name)
            changed = {int(at) + k for at, n in HUNK.findall(lines) for k in range(int(n or 1))}
            module = name.removesuffix(".py").replace("/", ".")
            found += [f"{module}.{function}" for function in _at(_git("show", f"{commit}:{name}"), changed)]
        yield commit, found


def _at(text: str, lines: set[int]) -> list[str]:
    """The functions that have code, not only a docstring or remark, in these lines."""
    found = []
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            within = [*node.args.args, *(n for n in ast.walk(node) if isinstance(n, ast.stmt | ast.expr))]
            skipped = node.body[0] if ast.get_docstring(node) else None
            skipped = set() if skipped is None else set(range(skipped.lineno, skipped.end_lineno + 1))
            found += [node.name] if {n.lineno for n in within} & lines - skipped else []
    return found


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], check=True, capture_output=True, text=True, cwd=kernel_cache.PACKAGE.parent)
    return done.stdout


def told(times: dict[str, float]) -> str:
    """The table, the dearest file first, and what it comes to."""
    of, files = callers(), defaultdict(list)
    cost = {name: sum(times.get(other, 0.0) for other in of[name]) for name in of}
    for name in of:
        files[name.rpartition(".")[0]].append(cost[name])
    rows = sorted(((mean(costs), max(costs), len(costs), file) for file, costs in files.items()), reverse=True)
    lines = ["| mean s | worst s | functions | file |", "| --: | --: | --: | --- |"]
    lines += [f"| {at_mean:.1f} | {worst:.1f} | {n} | {file} |" for at_mean, worst, n, file in rows]
    commits = []
    for _, names in edited():
        stale = set().union(*(of[name] for name in names if name in of))
        commits += [sum(times.get(name, 0.0) for name in stale)] if stale else []
    everything = list(cost.values())
    return "\n".join(lines) + (
        f"\n\n{sum(times.values()):.0f} s for {len(times)} functions. Edited one: mean {mean(everything):.1f} s"
        f", median {median(everything):.1f}, worst {max(everything):.1f}. Of {len(commits)} commits: mean "
        f"{mean(commits):.1f} s, median {median(commits):.1f}, worst {max(commits):.1f}"
    )


def main() -> None:
    if sys.argv[1:] == ["--within"]:
        print(json.dumps(timed()))
        return
    path = Path(sys.argv[1]) if sys.argv[1:] else None
    times = json.loads(path.read_text()) if path and path.exists() else timed_anew()
    if path:
        path.write_text(json.dumps(times))
    print(told(times))


if __name__ == "__main__":
    main()
