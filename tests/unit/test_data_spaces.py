"""Words that differ only by spaces around them: the same, said with counts, or different when asked."""

from treecore.data import ReadOptions, build_table, infer_kinds, read_raw

DATA = ("x,y\n" + "1.5,yes\n2.5,no\n3.5,no \n" * 10 + "4.5, no\n5.5, NA\n").encode()


def test_they_are_the_same_listed_once_and_said_with_counts():
    raw = read_raw(DATA)
    guess = infer_kinds(raw)[1]
    assert guess.examples == ("no", "yes")
    assert (guess.kind, guess.levels, guess.n_distinct, guess.n_missing) == ("boolean", ("no", "yes"), 2, 1)
    table = build_table(raw, target="y")
    assert table.column("y").present().tolist() == [21, 10]
    [note] = [note for note in table.notes if "spaces" in note]
    assert note == (
        "Column 'y': words that differ only by spaces around them were read as the same (with spaces: 'no' 11 times)."
    )


def test_they_are_different_when_asked():
    raw = read_raw(DATA, options=ReadOptions(keep_spaces=True))
    table = build_table(raw, target="y")
    assert set(table.column("y").levels) == {" no", "no", "no ", "yes"}
    assert table.column("y").n_missing == 1
    assert table.column("x").kind == "numeric"
    assert not any("spaces" in note for note in table.notes)


UNSEEN = ("x,y\n" + "1.5,oui\n2.5,\u00e9t\u00e9\n3.5,e\u0301te\u0301\n4.5,oui\u200b\n" * 10).encode()


def test_words_that_look_the_same_are_the_same_and_said_with_counts():
    raw = read_raw(UNSEEN)
    table = build_table(raw, target="y")
    assert dict(zip(table.column("y").levels, table.column("y").present().tolist(), strict=True)) == {
        "oui": 20,
        "\u00e9t\u00e9": 20,
    }
    [note] = [note for note in table.notes if "the same" in note]
    assert note == (
        "Column 'y': words that differ only by signs that cannot be seen, or by how accents are written, were read as "
        "the same (otherwise: 'oui' 10 times, '\u00e9t\u00e9' 10 times)."
    )


def test_words_that_look_the_same_are_different_when_asked():
    table = build_table(read_raw(UNSEEN, options=ReadOptions(keep_spaces=True)), target="y")
    assert len(table.column("y").levels) == 4
    assert not any("the same" in note for note in table.notes)


def test_joiners_change_words():
    raw = read_raw("x,y\n1.5,\u0645\u06cc\u200c\u062e\n2.5,\u0645\u06cc\u062e\n3.5,b\n".encode())
    assert len(build_table(raw, target="y").column("y").levels) == 3


def test_spaces_before_every_word_make_nothing_the_same():
    raw = read_raw(b"x;y\n1.5; yes\n2.5; no\n3.5; no\n", options=ReadOptions(quote=""))
    assert raw.merged == {}
    assert not any("spaces" in note for note in build_table(raw, target="y").notes)
    assert infer_kinds(raw)[1].examples == ("no", "yes")


def test_numbers_with_spaces_are_numbers_and_nothing_is_said():
    table = build_table(read_raw(b"x,y\n1,a\n1 ,b\n 2,a\n3,b\n"), target="y")
    assert table.column("x").kind == "numeric"
    assert not any("spaces" in note for note in table.notes)
