"""treecore: grow, prune, judge and show decision trees.

import treecore as tc
table = tc.read_table("file.csv", target="y")
train, validation, test = table.split(tc.Roles(train=0.6, validation=0.2, test=0.2))
tree = tc.grow(train, "cart", max_depth=6)
small = tree.cut(tc.prune(tree, "cost_complexity", validation=validation))
"""

from treecore.data import Nominal, Ordinal, Roles, Table, read_table
from treecore.data.matrix_table import from_arrays
from treecore.data.prepare import prepare
from treecore.database import open_table
from treecore.errors import TreecoreError
from treecore.export.formats import FORMATS, export
from treecore.fit import Fit, fit, grow, honest, prune
from treecore.growing.inspect.candidates import candidates
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.importing.readers import read_model
from treecore.notebook import explore
from treecore.parallel import parallel
from treecore.predicting.answer_frame import answers
from treecore.presets import PRESETS
from treecore.pruning import PRUNERS, Cuts, sequence
from treecore.recipe import Recipe
from treecore.rules import RuleSet, rules
from treecore.study.drift import check
from treecore.study.groups import Groups, groups
from treecore.study.segments import Segments, segments
from treecore.target import Counts, Effect, Survival
from treecore.tree import Tree

__all__ = [
    "FORMATS",
    "PRESETS",
    "PRUNERS",
    "Counts",
    "Cuts",
    "Effect",
    "Fit",
    "Groups",
    "GrowSettings",
    "Nominal",
    "Ordinal",
    "Recipe",
    "Roles",
    "RuleSet",
    "Segments",
    "Survival",
    "Table",
    "Tree",
    "TreecoreError",
    "answers",
    "candidates",
    "check",
    "explore",
    "export",
    "fit",
    "from_arrays",
    "groups",
    "grow",
    "honest",
    "open_table",
    "parallel",
    "prepare",
    "prune",
    "read_model",
    "read_table",
    "rules",
    "segments",
    "sequence",
]
