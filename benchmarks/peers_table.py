"""What was measured, as Markdown: seconds and ratios, leaves, memory, remarks on the peers, machine and versions."""

import os
import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.peers_fits import PEERS
from benchmarks.peers_outside import OUTSIDE
from benchmarks.peers_settings import TIMES_FASTEST, Goal

OURS, KEPT, REFERENCE = "treecore", "treecore, kept", "scikit-learn"
PACKAGES = {
    "treecore": ("numpy", "numba"), "scikit-learn": ("scikit-learn",), "LightGBM": ("lightgbm",),
    "XGBoost": ("xgboost", "xgboost-cpu"), "YDF": ("ydf",),
}  # fmt: skip


def report(found: dict[Goal, dict[str, dict]], peers: list[str], missing: dict[str, str]) -> str:
    """found : goal -> peer -> figures; missing : peer -> why it is not among them."""
    tables = [
        "# Single trees, side by side", "", *machine(peers), "",
        "Median seconds from arrays in memory to a grown tree; ratios are those of treecore's time from raw arrays",
        f"(to reach: {TIMES_FASTEST:g} × the fastest peer everywhere). Only ratios of one run mean anything.", "",
        *seconds(found, peers), "", "Leaves:", "", *others(found, peers, "leaves", "{:d}"), "",
        "Rise of peak memory in the first fit, MB:", "", *others(found, peers, "peak_mb", "{:.0f}"), "", "Peers:", "",
        *(f"- {peer}: {(PEERS | OUTSIDE)[peer].remark}" for peer in peers),
        *(f"- {peer}: absent, {reason}" for peer, reason in missing.items()), *refusals(found),
    ]  # fmt: skip
    return "\n".join(tables) + "\n"


def machine(peers: list[str]) -> Iterator[str]:
    cpu = Path("/proc/cpuinfo")
    models = [line.split(":")[1].strip() for line in cpu.read_text().splitlines() if line.startswith("model name")]
    yield f"{models[0] if models else platform.machine()}, {os.cpu_count()} cores, {platform.system()}; one thread."
    names = [name for peer in peers for name in PACKAGES.get(peer, ())]
    found = [f"Python {platform.python_version()}", *filter(None, map(_version, names))]
    yield ", ".join([*found, *(f"{peer} {OUTSIDE[peer].version()}" for peer in peers if peer in OUTSIDE)]) + "."


def _version(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return ""


def seconds(found: dict[Goal, dict[str, dict]], peers: list[str]) -> Iterator[str]:
    yield from _head(["setting", *peers, "× scikit-learn", "to reach", "× fastest peer", "kept × fastest peer"])
    for goal, figures in found.items():
        times = {peer: figures[peer]["seconds"] for peer in peers if "seconds" in figures[peer]}
        goal_text = "" if goal.times_sklearn is None else f"{goal.times_sklearn:g}"
        cells = [_cell(times.get(peer), "{:.4g}") for peer in peers]
        to_reference = _cell(_ratio(times, OURS, [REFERENCE])[0], "{:.1f}")
        yield _line([goal.setting.name, *cells, to_reference, goal_text, *_to_fastest(times)])


def _to_fastest(times: dict[str, float]) -> Iterator[str]:
    """The ratio to the fastest peer, named, from raw arrays and for a refit."""
    rivals = [peer for peer in times if peer not in (OURS, KEPT)]
    for ours in (OURS, KEPT):
        ratio, rival = _ratio(times, ours, rivals)
        yield "-" if ratio is None else f"{ratio:.1f} ({rival})"


def _ratio(times: dict[str, float], ours: str, rivals: list[str]) -> tuple[float | None, str]:
    """How many times as fast as the fastest of the rivals, and which that is."""
    rivals = [rival for rival in rivals if rival in times]
    if ours not in times or not rivals:
        return None, ""
    fastest = min(rivals, key=times.get)
    return times[fastest] / times[ours], fastest


def others(found: dict[Goal, dict[str, dict]], peers: list[str], figure: str, form: str) -> Iterator[str]:
    yield from _head(["setting", *peers])
    for goal, figures in found.items():
        yield _line([goal.setting.name, *(_cell(figures[peer].get(figure), form) for peer in peers)])


def refusals(found: dict[Goal, dict[str, dict]]) -> Iterator[str]:
    """Peers without a figure, and why."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for goal, figures in found.items():
        for peer, figure in figures.items():
            if "error" in figure:
                reasons.setdefault((peer, figure["error"]), []).append(goal.setting.name)
    for (peer, reason), settings in reasons.items():
        yield f"- {peer}: {reason} ({'; '.join(settings)})"


def _cell(value: float | None, form: str) -> str:
    return "-" if value is None else form.format(value)


def _head(names: list[str]) -> Iterator[str]:
    yield _line(names)
    yield _line(["---"] * len(names))


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
