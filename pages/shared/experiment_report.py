"""What experiments have found, for the report: of those of the tree's recipe and rows as they are now."""

from pages.shared import experiment_found, state
from treecore.export.finding import Finding, Told


def sections() -> list[Told]:
    """The last finding of each experiment, in the order of the page."""
    return [finding.told() for finding in of_now()]


def of_now() -> list[Finding]:
    """Of every experiment the last finding that is of the recipe and the rows in force."""
    kept = state.findings()
    found = []
    for source in experiment_found.sources():
        of = [f for f in kept if f.kind == source.kind and f.is_of(source.steps, source.data)]
        found += of[-1:]
    return found
