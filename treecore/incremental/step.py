"""What one batch of rows does to a tree."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """n_rows : seen by now. n_new : of this batch.

    updated : nodes whose counts changed. shifted : of these, those whose test changed while their rows stay parted as
    they were. replaced : splits that part the rows otherwise than before, or that begin or cease to be. regrown :
    subtrees grown anew for that. whole : why all of the tree was grown anew; "" if it was not.
    """

    n_rows: int
    n_new: int
    updated: int = 0
    shifted: int = 0
    replaced: int = 0
    regrown: int = 0
    whole: str = ""
