"""A file of very many columns: what to read of it is chosen before it is read."""

import pytest

from pages.shared.data import reading
from treecore.data import ReadOptions


def table(n: int) -> bytes:
    names = ["kind", *(f"{'gene' if i % 2 else 'probe'}_{i}" for i in range(n))]
    rows = ([("ab"[r % 2])] + [str((i * 7 + r * (1 + i % 3)) % 11) for i in range(n)] for r in range(40))
    return "\n".join(",".join(row) for row in (names, *rows)).encode()


@pytest.fixture(autouse=True)
def few(monkeypatch):
    monkeypatch.setattr(reading, "LIMITED", ReadOptions(max_columns=20))


def test_a_table_as_wide_as_may_be_is_read_at_once(app):
    app.upload(table(19), as_it_opens=True).go("data")
    assert "40 rows, 20 columns" in app.text()


def test_of_a_wider_one_columns_and_target_are_chosen(app):
    app.upload(table(60), as_it_opens=True)
    assert any("61 columns, more than 20" in error for error in app.errors())
    app.set("wide_target", "kind").set("wide_part", "gene").set("wide_most", 12).click("wide_read").go("data")
    assert "40 rows, 12 columns" in app.text()
    assert app.record().options.columns == ("gene_1", *(f"gene_{i}" for i in range(3, 22, 2)), "kind")
    assert app.widget("target").value == "kind"
    assert app.errors() == []


def test_all_columns_can_be_read_all_the_same(app):
    app.upload(table(60), as_it_opens=True).click("wide_all").go("data")
    assert "40 rows, 61 columns" in app.text()
    assert reading.LIMITED.changed() == ()
