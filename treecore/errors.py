"""One error for everything a user can put right: what is wrong, where, and the remedy."""


class TreecoreError(ValueError):
    """Bad input or a combination of settings that cannot work.

    what : the fault, one sentence without a full stop.
    where : the column, row, line, node or setting it is about ('' when it is the whole file).
    remedy : what the user can do about it.
    setting : how the remedy is written in Python, told to those who see the error there ('' for nothing to add).
    """

    def __init__(self, what: str, *, where: str = "", remedy: str = "", setting: str = "") -> None:
        self.what, self.where, self.remedy, self.setting = what, where, remedy, setting
        super().__init__(str(self))

    def __str__(self) -> str:
        head = f"{self.where}: {self.what}" if self.where else self.what
        in_python = f" ({self.setting})" if self.setting else ""
        return f"{head}. {self.remedy.rstrip('.')}{in_python}." if self.remedy else f"{head}."

    def __reduce__(self) -> tuple:
        return _rebuild, (type(self), self.what, self.where, self.remedy, self.setting)


class DataNote(UserWarning):
    """What was left out of a table unasked, or is not worth learning: a warning to those who see no notes of tables."""


def _rebuild(kind: "type[TreecoreError]", what: str, where: str, remedy: str, setting: str) -> "TreecoreError":
    return kind(what, where=where, remedy=remedy, setting=setting)
