"""The commands in a terminal: what they write, and one line and exit code 2 for what cannot be."""

import csv
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

import treecore as tc
from treecore.command_line import commands, files
from treecore.command_line.main import COMMANDS, main

ROWS = "colour,size,kind\n" + "red,1.5,a\nblue,3,b\nred,2,a\ngreen,4,b\n" * 10


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("rows.csv").write_text(ROWS, "utf-8")
    Path("folder").mkdir()
    Path("nothing.json").write_bytes(b"\xff\x00")
    assert main(["grow", "rows.csv", "--target", "kind", "--out", "tree.json"]) == 0
    return tmp_path


def told(capsys) -> str:
    return capsys.readouterr().err


def test_grow_saves_the_tree_that_the_library_grows(folder, capsys):
    assert main(["grow", "rows.csv", "--target", "kind", "--out", "tree.json"]) == 0
    tree = tc.Tree.from_dict(json.loads(Path("tree.json").read_text("utf-8")))
    own = tc.grow(tc.read_table("rows.csv", target="kind"), "cart")
    assert tree.to_dict() == own.to_dict()
    assert "accuracy 100.0 % on 40 rows" in told(capsys)


def test_settings_pruning_and_roles_reach_the_fit(folder, capsys):
    asked = "grow rows.csv --preset c4.5 --set max_depth=1 min_rows_leaf=3 --prune reduced_error --validation 0.25"
    assert main([*asked.split(), "--out", "other.json"]) == 0
    growth = json.loads(Path("other.json").read_text("utf-8"))["growth"]
    assert (growth["max_depth"], growth["min_rows_leaf"]) == (1, 3)
    assert "validation: accuracy" in (said := told(capsys))
    assert "target: kind." in said


def test_a_rare_class_pruned_to_the_root_is_told_what_helps(tmp_path, capsys):
    draw = random.Random(2)
    lines = ["months,plan,left"]
    for _ in range(1500):
        months = draw.randint(1, 70)
        lines.append(
            f"{months},{draw.choice('ab')},{'yes' if draw.random() < (0.25 if months < 12 else 0.03) else 'no'}"
        )
    path, out = tmp_path / "left.csv", str(tmp_path / "tree.json")
    path.write_text("\n".join(lines))
    asked = ["grow", str(path), "--set", "min_rows_leaf=30", "--prune", "cost_complexity", "--validation", "0.3"]
    assert main([*asked, "--out", out]) == 0
    told = capsys.readouterr().err
    assert "1 leaf" in told
    advice = re.search(r"add (--prune-set \S+ --prune-set \S+)", told)[1].split()
    assert main([*asked, *advice, "--out", out]) == 0
    told = capsys.readouterr().err
    assert int(re.search(r"^(\d+) leaves", told, re.M)[1]) > 1
    assert "the root alone" not in told


def test_sealed_test_rows_have_no_figure(folder, capsys):
    asked = ["grow", "rows.csv", "--target", "kind", "--test", "0.25", "--out", "other.json"]
    assert main(asked) == 0
    assert "test: accuracy" in told(capsys)
    assert main([*asked, "--seal"]) == 0
    assert "test: sealed" in (said := told(capsys))
    assert "test: accuracy" not in said


def test_profits_are_set_and_told_in_a_terminal(folder, capsys):
    asked = ["grow", "rows.csv", "--set", "max_depth=2", "--set", "profit=[[0, -5], [-1, 9]]"]
    assert main([*asked, "--out", "p.json"]) == 0
    assert "mean profit 4.5, accuracy 100.0 % on 40 rows" in told(capsys)
    assert json.loads(Path("p.json").read_text("utf-8"))["loss"] == [[0, 5], [1, -9]]


def test_check_says_whether_the_tree_still_holds(folder, capsys):
    assert main(["check", "tree.json", "rows.csv", "--train", "rows.csv", "--target", "kind"]) == 0
    assert capsys.readouterr().out.startswith("The tree still holds")
    Path("new.csv").write_text("day,size,colour\n" + "2026-01-01,9,pink\n" * 30 + "2026-02-01,9,blue\n" * 30, "utf-8")
    assert main(["check", "tree.json", "new.csv"]) == 1
    said = capsys.readouterr().out
    assert said.startswith("The tree no longer holds")
    assert "2026-01: 30 rows" in said
    Path("red.csv").write_text("size,colour\n" + "1,red\n" * 60, "utf-8")
    assert main(["check", "tree.json", "red.csv"]) == 1
    assert main(["check", "tree.json", "red.csv", "--fail-above", "100", "--json", "--out", "found.json"]) == 0
    assert json.loads(Path("found.json").read_text("utf-8"))["now"] == 60
    for asked in (["--target", "kind"], ["--target", "size"], ["--date", "colour"], ["--fail-above", "0"]):
        assert main(["check", "tree.json", "new.csv", *asked]) == 2, asked


def test_predict_flags_the_rows_of_riskier_leaves(folder, capsys):
    Path("new.csv").write_text("size,colour\n1,red\n9,blue\n", "utf-8")
    assert main(["predict", "tree.json", "new.csv", "--flag", "0.5", "--class", "b", "--out", "answers.csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(Path("answers.csv").read_text("utf-8"))))
    assert [(row["flag"], row["segment"]) for row in rows] == [("0", "2"), ("1", "1")]
    assert main(["predict", "tree.json", "new.csv", "--flag", "0.5", "--class", "c"]) == 2
    assert "'c' is no class of the tree" in told(capsys)
    assert main(["predict", "tree.json", "new.csv", "--flag", "5"]) == 2
    assert "no share" in told(capsys)


def test_segments_tells_the_leaves_riskiest_first(folder, capsys):
    assert main(["segments", "tree.json", "rows.csv", "--class", "b", "--out", "leaves.csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(Path("leaves.csv").read_text("utf-8"))))
    assert [row["segment"] for row in rows] == ["1", "2"]
    assert [(row["rows_train"], row["hits_rows"], row["captured_rows"]) for row in rows] == [
        ("20", "20", "1"), ("20", "0", "1"),
    ]  # fmt: skip
    assert main(["segments", "tree.json", "--sort", "rate_train", "--out", "leaves.parquet"]) == 0
    assert pd.read_parquet("leaves.parquet")["rate_train"].tolist() == [1.0, 0.0]
    assert main(["segments", "tree.json", "--sort", "size"]) == 2
    assert "no column 'size'" in told(capsys)


def test_predict_adds_answers_to_the_columns_of_the_file(folder, capsys):
    Path("new.csv").write_text('note,size,colour\n=1+1,1,red\n"a, b",9,\n-5,,mauve\n', "utf-8")
    assert main(["predict", "tree.json", "new.csv", "--out", "answers.csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(Path("answers.csv").read_text("utf-8"))))
    assert list(rows[0]) == ["note", "size", "colour", "answer", "share_a", "share_b", "leaf"]
    tree = tc.Tree.from_dict(json.loads(Path("tree.json").read_text("utf-8")))
    asked = pd.DataFrame({"colour": ["red", None, "mauve"], "size": [1, 9, None]})
    assert [row["answer"] for row in rows] == tree.predict(asked).tolist()
    assert [float(row["share_b"]) for row in rows] == tree.predict_proba(asked)[:, 1].tolist()
    assert [int(row["leaf"]) for row in rows] == tree.apply(asked).tolist()
    assert [row["note"] for row in rows] == ["\u2060=1+1", "a, b", "-5"]
    assert "3 rows predicted" in told(capsys)


def test_predict_names_what_it_cannot_read_before_it_answers(folder, capsys):
    tree = tc.grow(tc.read_table("rows.csv", target="kind", features=["size"]))
    Path("sizes.json").write_text(json.dumps(tree.to_dict()), "utf-8")
    Path("short.csv").write_text("colour\nred\n", "utf-8")
    Path("wrong.csv").write_text("colour,size\nred,large\nred,2\n", "utf-8")
    for name, words in (("short.csv", "Column 'size'"), ("wrong.csv", "large")):
        assert main(["predict", "sizes.json", name, "--out", "out.csv"]) == 2
        assert words in (said := told(capsys))
        assert said.count("\n") == 1
        assert not Path("out.csv").exists()


def test_answers_are_scored_where_the_target_is_there_and_names_are_never_overwritten(folder, capsys):
    Path("again.csv").write_text(ROWS.replace("colour,", "answer,", 1).replace("red", "x"), "utf-8")
    tree = tc.grow(tc.read_table("rows.csv", target="kind", features=["size"]))
    Path("sizes.json").write_text(json.dumps(tree.to_dict()), "utf-8")
    assert main(["predict", "sizes.json", "again.csv", "--rule", "--out", "out.csv"]) == 0
    assert "accuracy 100.0 % on 40 rows" in told(capsys)
    row = next(csv.DictReader(io.StringIO(Path("out.csv").read_text("utf-8"))))
    assert (row["answer"], row["answer_2"], row["rule"]) == ("x", "a", "size < 2.5")


def test_rules_are_learned_told_and_asked(folder, capfd):
    assert main(["learn", "rows.csv", "--target", "kind", "--learner", "prism", "--out", "rules.json"]) == 0
    said = capfd.readouterr().err
    assert "2 rules by Prism" in said
    assert "accuracy 100.0 % on 40 rows" in said
    assert main(["rules", "rules.json"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[0].startswith("1. IF colour = red THEN kind = a  (20 rows, 0.0\xa0% b)")
    assert lines[-1].startswith("otherwise kind = ")
    Path("new.csv").write_text("colour,size\nred,1\nblue,9\n,\n", "utf-8")
    assert main(["predict", "rules.json", "new.csv", "--rule", "--out", "answers.csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(Path("answers.csv").read_text("utf-8"))))
    assert list(rows[0]) == ["colour", "size", "answer", "share_a", "share_b", "rule_number", "rule"]
    assert [row["answer"] for row in rows[:2]] == ["a", "b"]
    assert [row["rule_number"] for row in rows] == ["1", "2", "0"]
    assert rows[2]["rule"] == "otherwise"
    capfd.readouterr()
    assert main(["rules", "rules.json", "--format", "csv"]) == 2
    assert "as text" in capfd.readouterr().err
    assert main(["learn", "rows.csv", "--target", "size"]) == 2
    assert "classes" in capfd.readouterr().err


def test_parquet_goes_out_by_its_name(folder):
    assert main(["predict", "tree.json", "rows.csv", "--out", "answers.parquet"]) == 0
    assert tc.read_table("answers.parquet").n_rows == 40


def test_columns_of_one_name_all_come_back_and_parquet_keeps_its_text(folder):
    Path("twice.csv").write_text("size,note,note\n1,=1+1,a\n9,-x,b\n", "utf-8")
    tree = tc.grow(tc.read_table("rows.csv", target="kind", features=["size"]))
    Path("sizes.json").write_text(json.dumps(tree.to_dict()), "utf-8")
    for name in ("out.csv", "out.parquet"):
        assert main(["predict", "sizes.json", "twice.csv", "--out", name]) == 0
    rows = list(csv.reader(io.StringIO(Path("out.csv").read_text("utf-8"))))
    assert rows[0][:4] == ["size", "note", "note (2)", "answer"]
    assert [row[1:3] for row in rows[1:]] == [["\u2060=1+1", "a"], ["\u2060-x", "b"]]
    assert pd.read_parquet("out.parquet")["note"].tolist() == ["=1+1", "-x"]


def test_every_format_is_exported_as_the_library_does(folder):
    tree = tc.Tree.from_dict(json.loads(Path("tree.json").read_text("utf-8")))
    assert main(["export", "tree.json", "--format", "sql", "--table", "passengers", "--out", "tree.sql"]) == 0
    assert Path("tree.sql").read_text("utf-8") == tc.export(tree, "sql", table="passengers")
    assert main(["export", "tree.json", "--format", "png", "--set", "scale=1", "--out", "tree.png"]) == 0
    assert Path("tree.png").read_bytes() == tc.export(tree, "png", scale=1)


def test_thresholds_have_as_many_digits_as_are_asked_for(folder):
    frame = pd.DataFrame({"x": [1234.5678, 2345.6789, 3456.789, 4567.8901] * 9, "y": ["a", "a", "b", "b"] * 9})
    tree = tc.grow(tc.read_table(frame, target="y", kinds={"x": "numeric"}), "cart")
    Path("long.json").write_text(tc.export(tree, "json"), "utf-8")
    assert main(["rules", "long.json", "--digits", "2", "--out", "rules.txt"]) == 0
    assert "x < 2900 THEN" in Path("rules.txt").read_text("utf-8")
    assert main(["export", "long.json", "--format", "python", "--digits", "1", "--out", "tree.py"]) == 0
    assert "[[3000.0, False]]" in Path("tree.py").read_text("utf-8")


def test_prune_rules_and_show(folder, capfd):
    assert main(["prune", "tree.json", "--method", "cost_complexity", "--set", "alpha=10", "--out", "small.json"]) == 0
    assert tc.Tree.from_dict(json.loads(Path("small.json").read_text("utf-8"))).n_leaves == 1
    capfd.readouterr()
    assert main(["rules", "tree.json", "--format", "csv"]) == 0
    assert len(capfd.readouterr().out.splitlines()) == 3
    assert main(["show", "tree.json"]) == 0
    shown = capfd.readouterr().out.splitlines()
    assert shown[0].startswith("all rows:")
    assert [line[:3] for line in shown[1:]] == ["├─ ", "└─ "]
    assert main(["show", "tree.json", "--depth", "0"]) == 0
    assert "2 nodes below" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("", "name a command"),
        ("plant rows.csv", "invalid choice: 'plant'"),
        ("grow", "FILE"),
        ("grow none.csv", "There is no such file"),
        ("grow rows.csv --preset c45", "c4.5"),
        ("grow rows.csv --target king", "'kind'"),
        ("grow rows.csv --set max_dept=3", "max_depth"),
        ("grow rows.csv --set max_depth", "max_depth=VALUE"),
        ("grow rows.csv --set max_depth=many", "max_depth"),
        ("grow rows.csv --prune reduced_error", "--validation 0.2"),
        ("grow rows.csv --kind size=large", "numeric, nominal"),
        ("grow rows.csv --prune-set alpha=1", "parameter of --prune none"),
        ("grow rows.csv --out no/such/folder.json", "no folder no/such"),
        ("grow gaps.csv --prune-set alpha=1", "parameter of --prune none"),
        ("prune tree.json --method reduced_error --validation gaps.csv --set deep=1", "parameter"),
        ("predict tree.json rows.csv --out folder/no/out.csv", "no folder"),
        ("grow rows.csv --out folder", "Name a file in it"),
        ("grow folder --target kind", "This is a folder"),
        ("show none.json", "show: none.json: There"),
        ("show nothing.json", "no saved tree"),
        ("show tree.json --depth -1", "levels"),
        ("predict rows.csv rows.csv", "no saved tree"),
        ("predict tree.json none.csv", "none.csv"),
        ("export tree.json --format jpeg", "svg"),
        ("export tree.json --format rules --digits 40", "1 to 17"),
        ("show tree.json --digits few", "few"),
        ("export tree.json --format svg --table x", "no option 'table'"),
        ("export tree.json --format png --set scale=3", "1, 2 or 4"),
        ("prune tree.json --method shears", "cost_complexity"),
        ("prune tree.json --method reduced_error", "alidation"),
        ("rules tree.json --format odt", "markdown"),
        ("show tree.json --depth few", "few"),
    ],
)
def test_bad_input_ends_with_code_2_and_one_line_that_helps(folder, capsys, asked, words):
    Path("gaps.csv").write_text(ROWS + "red,1,\n", "utf-8")  # would be noted: a row without a target
    capsys.readouterr()
    assert main(asked.split()) == 2
    (line,) = told(capsys).splitlines()
    assert words in line


@pytest.mark.parametrize(
    "asked",
    [
        "grow --set max_depth=1 min_rows_leaf=3 rows.csv --prune none",
        "grow --set max_depth=1 --kind size=numeric colour=nominal --set min_rows_leaf=3 rows.csv",
        "grow rows.csv --set min-rows-leaf=3 max_depth=1",
    ],
)
def test_a_file_after_settings_is_the_file(folder, asked):
    assert main([*asked.split(), "--out", "set.json"]) == 0
    growth = json.loads(Path("set.json").read_text("utf-8"))["growth"]
    assert (growth["max_depth"], growth["min_rows_leaf"]) == (1, 3)


def test_a_terminal_is_told_what_predict_is_at_and_a_pipe_is_not(folder, capsys, monkeypatch):
    asked = ["predict", "tree.json", "rows.csv", "--out", "out.csv"]
    monkeypatch.setattr(commands, "PATIENCE", 0.0)
    capsys.readouterr()
    assert main(asked) == 0
    assert told(capsys).startswith("40 rows predicted")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(asked) == 0
    said = told(capsys)
    for words in ("reading rows.csv …", "answering 40 rows …", "writing out.csv …"):
        assert commands.CLEAR + words in said
    assert said.count("\n") == 1
    assert said.split("\n")[0].split(commands.CLEAR)[-1].startswith("40 rows predicted")


SAVING = """
import os, sys, treecore.command_line.files as files
content = open(sys.argv[1], "rb").read()
for _ in sys.stdin:
    if not (child := os.fork()):
        print(os.getpid(), flush=True)
        while True:
            files.write(sys.argv[1], content)
    os.waitpid(child, 0)
    print("ended", flush=True)
"""
"""At each line that it is sent, another process that saves, over and over, until it is killed."""


@pytest.mark.skipif(sys.platform == "win32", reason="no process is killed there without being asked")
def test_what_was_saved_opens_whenever_saving_it_again_is_killed(tmp_path):
    saved = tmp_path / "tree.json"
    tree = tc.grow(
        tc.read_table(pd.DataFrame({"x": range(3000), "y": [str(i * i % 7) for i in range(3000)]}), "y"), "cart"
    )
    saved.write_text(json.dumps(tree.to_dict()))
    os.chmod(saved, 0o640)
    command, pipe = [sys.executable, "-c", SAVING, str(saved)], subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, bufsize=1) as starter:
        for wait in range(12):
            starter.stdin.write("\n")
            process = int(starter.stdout.readline())
            time.sleep(0.003 * wait)
            os.kill(process, signal.SIGKILL)
            assert starter.stdout.readline() == "ended\n"
            assert files.read_tree(str(saved)).n_nodes == tree.n_nodes
        starter.stdin.close()
    assert saved.stat().st_mode & 0o777 == 0o640


def test_a_file_is_written_through_a_link_and_where_nothing_else_may_be(tmp_path):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "real.txt").write_text("before")
    (tmp_path / "link.txt").symlink_to(folder / "real.txt")
    files.write(str(tmp_path / "link.txt"), "after")
    assert (tmp_path / "link.txt").is_symlink()
    assert (folder / "real.txt").read_text() == "after"
    assert [file.name for file in folder.iterdir()] == ["real.txt"]
    files.write(os.devnull, "gone")
    assert Path(os.devnull).is_char_device() or os.name == "nt"


def test_where_a_result_cannot_be_written_no_work_is_done(folder, monkeypatch):
    monkeypatch.setattr(commands.tc, "fit", lambda *_, **__: pytest.fail("grown in vain"))
    assert main(["grow", "rows.csv", "--out", "no/such/folder.json"]) == 2


def test_names_from_data_cannot_write_to_the_terminal(folder, capsys):
    Path("odd.csv").write_text(ROWS.replace("kind", "k\x1b[2Jd", 1), "utf-8")
    assert main(["grow", "odd.csv", "--out", "odd.json"]) == 0
    assert "\x1b" not in (said := told(capsys))
    assert "k[U+001B][2Jd" in said


def test_every_command_has_help_with_an_example(capsys):
    for name in COMMANDS:
        assert main([name, "--help"]) == 0
        assert f"treecore {name} " in capsys.readouterr().out.split("example:")[1]


def test_explore_starts_the_app_on_the_file(folder, monkeypatch):
    started = []
    monkeypatch.setattr(commands.os, "execv", lambda program, words: started.append((os.getcwd(), words)))
    monkeypatch.setenv(commands.FILE_TO_OPEN, "")
    assert main(["explore", "rows.csv", "--server.port", "8765"]) == 0
    assert os.environ[commands.FILE_TO_OPEN] == str(folder / "rows.csv")
    where, words = started[0]
    assert Path(where, words[4]).is_file()
    assert words[1:5] == ["-m", "streamlit", "run", "streamlit_app.py"]
    assert words[5:] == ["--server.port", "8765"]
    monkeypatch.chdir(folder)
    assert main(["explore", "none.csv"]) == 2


def test_the_module_runs_and_reads_from_a_pipe(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "treecore", "grow", "-", "--target", "kind"],
        input=ROWS.encode(), capture_output=True, check=False, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert tc.Tree.from_dict(json.loads(done.stdout)).n_leaves == 2


def test_rules_tell_the_class_that_is_named(folder, capfd):
    assert main(["rules", "tree.json", "--class", "a"]) == 0
    assert "\u00a0% a)" in capfd.readouterr().out
    assert main(["export", "tree.json", "--format", "rules", "--class", "b"]) == 0
    assert "\u00a0% b)" in capfd.readouterr().out
    assert main(["export", "tree.json", "--format", "rules", "--class", "c"]) == 2
    assert "no class" in capfd.readouterr().err
