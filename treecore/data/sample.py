"""What a sample table is, and where its file is found."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from treecore.errors import TreecoreError
from treecore.target import Counted, Counts, Survival

PACKAGE = Path(__file__).parents[1]
# a checkout, an installed wheel
FOLDERS = (PACKAGE.parent / "assets" / "samples", PACKAGE / "_app" / "assets" / "samples")


@dataclass(frozen=True)
class Sample:
    """One sample: its file, the usual target and task, kinds that differ from the guess, and its source.

    description : what the table is, what to look at, what to try. preset, settings : the growth whose numbers the
    description tells, all rows training; "" where it tells none. exposure : of counts, what they are counted in.
    time : of events, how long each row was watched.
    """

    name: str
    label: str
    description: str
    file: str
    target: str
    task: str
    source: str
    kinds: Mapping = field(default_factory=dict)
    preset: str = ""
    settings: Mapping = field(default_factory=dict)
    exposure: str = ""
    time: str = ""

    @property
    def predicted(self) -> str | Counted:
        """The target, as read_table takes it."""
        if self.time:
            return Survival(self.time, self.target)
        return Counts(self.target, self.exposure) if self.exposure else self.target

    @property
    def path(self) -> Path:
        """The file, in a checkout or in an installed package; TreecoreError when it is in neither."""
        for folder in FOLDERS:
            if (folder / self.file).is_file():
                return folder / self.file
        raise TreecoreError(
            "The file of this sample is not installed",
            where=f"Sample '{self.name}'",
            remedy="Install the package again, or run it from a checkout.",
        )
