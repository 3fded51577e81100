"""The tree for lecture slides: the source of a LaTeX forest picture, made of TikZ."""

from textwrap import wrap

from treecore.brief import visible
from treecore.export.format import ExportRequest
from treecore.export.rule_texts import to_latex
from treecore.figures import count
from treecore.tree.tree import Tree

PREAMBLE = r"""\begin{forest}
  for tree={draw, rounded corners=1pt, align=center, font=\small, l sep=3mm, l=0pt, s sep=3mm},
  branch/.style={draw=none, inner sep=1.5pt, font=\scriptsize, s sep=2mm},
  where n children=0{fill=black!6}{},"""
WIDEST_CONDITION = 24
"""Letters in a line of it."""
MOST_LEVELS_DEEP, MOST_NODES = 60, 500


def to_forest(given: ExportRequest) -> str:
    """A forest environment; needs the package forest."""
    title = f"% A decision tree for {given.tree.schema.target} of {given.name}.{given.tree.figures_told}"
    title = visible(f"{title} Needs \\usepackage{{forest}}.")
    return f"{title}\n{PREAMBLE}\n{_node(given.tree, 0)}\n\\end{{forest}}\n"


def why_not_forest(given: ExportRequest) -> str:
    """TeX cannot draw what is too deep, takes minutes for what is too large, and nobody can read either."""
    tree = given.tree
    if tree.depth > MOST_LEVELS_DEEP:
        return f"The tree is {tree.depth} levels deep; TeX draws up to {MOST_LEVELS_DEEP}"
    return f"TeX would draw its {tree.n_nodes:,} nodes for minutes" if tree.n_nodes > MOST_NODES else ""


def _node(tree: Tree, t: int) -> str:
    """The node below its condition, which is a node too: so TeX makes room for both."""
    view, pad = tree.node(t), "  " * (int(tree.node_depth[t]) + 1)
    title = view.predicted if view.is_leaf else view.feature or ""
    below = "".join("\n" + _node(tree, child) for child in tree.children(t))
    node = f"[{{{to_latex(title)}\\\\{{\\scriptsize {_counts(tree, t)}}}}}{below}]"
    return f"{pad}[{{{_condition(view.branch)}}}, branch {node}]" if t else pad + node


def _condition(text: str) -> str:
    """In lines that are not too wide, each in braces, as TeX takes a bracket after a line's end for its own."""
    lines = wrap(visible(text), WIDEST_CONDITION, break_long_words=False, break_on_hyphens=False)
    return r"\\".join(f"{{{to_latex(line)}}}" for line in lines)


def _counts(tree: Tree, t: int) -> str:
    """Rows of each class, or the number of rows."""
    if not tree.classes or len(tree.classes) > 6:
        return f"{count(tree.weight[t])} rows"
    return " / ".join(count(weight) for weight in tree.stats[t])
