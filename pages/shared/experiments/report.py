"""What experiments have found, for the report: of those of the tree's recipe and rows as they are now."""

from pages.shared.experiments import found as experiment_found
from pages.shared.session import state
from treecore.export.experiment_result import ExperimentResult, Told


def sections() -> list[Told]:
    """The last finding of each experiment, in the order of the page."""
    return [finding.told() for finding in of_now()]


def of_now() -> list[ExperimentResult]:
    """Of every experiment the last finding that is of the recipe and the rows in force."""
    kept: dict[str, list[ExperimentResult]] = {}
    for finding in state.findings():
        kept.setdefault(finding.kind, []).append(finding)
    found = []
    for source in experiment_found.sources() if kept else ():
        mine = kept.get(source.kind, [])
        steps, data = (source.steps, source.data) if mine else ((), "")
        found += [finding for finding in mine if finding.is_of(steps, data)][-1:]
    return found
