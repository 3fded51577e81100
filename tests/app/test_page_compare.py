"""The numbers of the Compare page, recounted."""

import treecore as tc
from treecore.data.samples import read_sample


def test_changed_rows_are_counted(app):
    app.sample("titanic").go("grow").set("pruner", "reduced_error").go("compare")
    shown = app.at.dataframe[1].value.set_index("rows of")
    parts = dict(zip(("train", "validation", "test"), read_sample("titanic").split(tc.Roles()), strict=True))
    tree = tc.grow(parts["train"])
    small = tree.cut(tc.prune(tree, "reduced_error", validation=parts["validation"]))
    for role, part in parts.items():
        before, after, truth = tree.predict(part), small.predict(part), part.target_column.labels()
        assert shown.loc[role, "answer changes"] == (before != after).sum() > 0
        assert shown.loc[role, "right after pruning only"] == ((after == truth) & (before != truth)).sum()
        assert shown.loc[role, "right before pruning only"] == ((before == truth) & (after != truth)).sum()


def test_sizes_and_accuracies(app):
    app.sample("titanic").go("grow").set("pruner", "reduced_error").go("compare")
    shown = app.at.dataframe[0].value
    parts = dict(zip(("train", "validation", "test"), read_sample("titanic").split(tc.Roles()), strict=True))
    tree = tc.grow(parts["train"])
    small = tree.cut(tc.prune(tree, "reduced_error", validation=parts["validation"]))
    assert shown["leaves"].tolist() == [tree.n_leaves, small.n_leaves, 1]
    for column in shown.columns[3:]:
        role = next(r for r in parts if r in column)
        right = [(t.predict(parts[role]) == parts[role].target_column.labels()).mean() for t in (tree, small)]
        assert abs(shown[column] - [*right, 1 - (parts[role].target_column.codes == 1).mean()]).max() < 1e-12
