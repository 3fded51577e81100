"""One error for everything a user can put right: what is wrong, where, and the remedy."""


class TreecoreError(ValueError):
    """Bad input or a combination of settings that cannot work.

    what : the fault, one sentence without a full stop.
    where : the column, row, line, node or setting it is about ('' when it is the whole file).
    remedy : what the user can do about it.
    """

    def __init__(self, what: str, *, where: str = "", remedy: str = ""):
        self.what, self.where, self.remedy = what, where, remedy
        super().__init__(str(self))

    def __str__(self) -> str:
        head = f"{self.where}: {self.what}" if self.where else self.what
        return f"{head}. {self.remedy.rstrip('.')}." if self.remedy else f"{head}."

    def __reduce__(self):
        return _rebuild, (type(self), self.what, self.where, self.remedy)


def _rebuild(kind, what, where, remedy):
    return kind(what, where=where, remedy=remedy)
