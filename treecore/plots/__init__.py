"""Pictures: results in, plotly figures out. Nothing here counts, and nothing here knows Streamlit."""

from treecore.plots.class_mix import class_mix
from treecore.plots.column_histogram import column_histogram
from treecore.plots.confusion import confusion
from treecore.plots.icicle import icicle
from treecore.plots.landscape import split_landscape
from treecore.plots.regions import region_map
from treecore.plots.size_curve import size_curve
from treecore.plots.step_function import step_function
from treecore.plots.target_histogram import target_histogram

__all__ = [
    "class_mix", "column_histogram", "confusion", "icicle", "region_map", "size_curve", "split_landscape",
    "step_function", "target_histogram",
]  # fmt: skip
