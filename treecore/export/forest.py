"""The tree for lecture slides: the source of a LaTeX forest picture, made of TikZ."""

from treecore.export.escapes import to_latex
from treecore.export.format import Given
from treecore.figures import count
from treecore.tree.text import visible
from treecore.tree.tree import Tree

PREAMBLE = r"""\begin{forest}
  for tree={draw, rounded corners=1pt, align=center, font=\small, l sep=9mm, s sep=3mm},
  where n children=0{fill=black!6}{},"""
MOST_LEVELS_DEEP = 60


def to_forest(given: Given) -> str:
    """A forest environment; needs the package forest."""
    title = visible(f"% A decision tree for {given.tree.schema.target} of {given.name}. Needs \\usepackage{{forest}}.")
    return f"{title}\n{PREAMBLE}\n{_node(given.tree, 0)}\n\\end{{forest}}\n"


def why_not_forest(given: Given) -> str:
    """TeX cannot draw what is too deep, nor can anybody read it."""
    depth = given.tree.depth
    return f"The tree is {depth} levels deep; TeX draws up to {MOST_LEVELS_DEEP}" if depth > MOST_LEVELS_DEEP else ""


def _node(tree: Tree, t: int) -> str:
    view, pad = tree.node(t), "  " * (int(tree.node_depth[t]) + 1)
    title = view.predicted if view.is_leaf else view.feature
    label = f"{to_latex(title)}\\\\{{\\scriptsize {_counts(tree, t)}}}"
    branch = f", edge label={{node[midway, fill=white, font=\\scriptsize]{{{to_latex(view.branch)}}}}}" if t else ""
    below = "".join("\n" + _node(tree, child) for child in tree.children(t))
    return f"{pad}[{{{label}}}{branch}{below}]"


def _counts(tree: Tree, t: int) -> str:
    """Rows of each class, or the number of rows."""
    if not tree.classes or len(tree.classes) > 6:
        return f"{count(tree.weight[t])} rows"
    return " / ".join(count(weight) for weight in tree.stats[t])
