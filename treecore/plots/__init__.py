"""Pictures: results in, plotly figures out. Nothing here counts, and nothing here knows Streamlit."""

from treecore.plots.confusion_matrix import confusion
from treecore.plots.decision_regions import region_map
from treecore.plots.distributions import class_mix, column_histogram, target_histogram
from treecore.plots.icicle import icicle
from treecore.plots.size_curve import size_curve
from treecore.plots.split_landscape import split_landscape
from treecore.plots.step_lines import step_function

__all__ = [
    "class_mix", "column_histogram", "confusion", "icicle", "region_map", "size_curve", "split_landscape",
    "step_function", "target_histogram",
]  # fmt: skip
