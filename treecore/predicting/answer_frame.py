"""What a tree says of every row, as a frame of the kind that was given."""

from typing import TYPE_CHECKING

from treecore.data.frames import AnyFrame, as_kind, as_pandas, kind_of
from treecore.data.table import Table
from treecore.judging.interest import FlagRule
from treecore.tree.tree import Tree

if TYPE_CHECKING:
    from treecore.data.table import RowsLike


def answers(tree: Tree, rows: "RowsLike", rule: bool = False, flag: FlagRule | None = None) -> AnyFrame:
    """A frame with a row for each of these: answer, `share_<class>` of each class, `weighted_share_<class>` where class
    weights make others of them, leaf and, if asked for, rule.

    flag : adds `flag`, 1 or 0, and `segment`, the number of the row's leaf from the riskiest on; see tc.segments.

    rows : a Table, a frame or a matrix, as for Tree.predict. The answers are a frame of the same kind, of pandas with
    the same index.
    """
    import pyarrow as pa

    from treecore.predicting.batch import score

    frame = as_pandas(rows)
    table = pa.table(score(tree, frame, flag).columns(rule, guarded=False)).to_pandas()
    index = frame.row_numbers if isinstance(frame, Table) else getattr(frame, "index", None)
    kind = frame.frame if isinstance(frame, Table) else kind_of(rows)
    return as_kind(table if index is None else table.set_axis(index), kind)
