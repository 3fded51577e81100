"""Tools for assistants, through the client of the protocol's own package."""

import asyncio
import base64
import json
import sys

import pytest

import treecore as tc
from treecore.command_line.mcp import MOST_LETTERS, Workbench
from treecore.data.samples import SAMPLES
from treecore.errors import TreecoreError

pytest.importorskip("mcp")
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from treecore.command_line.mcp import TOOLS, server

TITANIC = str(SAMPLES["titanic"].path)


def talk(files, *calls):
    """(is it an error, its contents) of every call (tool, arguments), one after another with one server."""

    async def all_of_them():
        async with Client(server(Workbench(files))) as client:
            return [await client.call_tool(name, given) for name, given in calls]

    return [(found.is_error, found.content) for found in asyncio.run(all_of_them())]


def text(found):
    is_error, [content] = found
    assert not is_error, content.text
    return content.text


OPEN = ("open", {"name": "titanic.csv", "target": "survived"})
GROW = ("grow", {"settings": {"max_depth": 4}, "seed": 1})


def test_from_a_table_to_its_tree_and_back_as_a_recipe():
    opened, grown, shown, rivals, why, recipe = map(
        text, talk([TITANIC], OPEN, GROW, ("show", {"depth": 1}), ("rivals", {"node": 0, "limit": 3}),
                   ("why", {"node": 0}), ("recipe", {})),
    )  # fmt: skip
    assert "891 rows × 8 columns" in opened
    assert "validation: accuracy" in grown
    assert "[1] sex = male" in shown
    assert [line.split()[0] for line in rivals.splitlines()[-3:]] == ["1", "2", "3"]
    assert "Split on sex because its gain" in why
    table = tc.read_table(TITANIC, target="survived")
    again = tc.fit(table, tc.Recipe.from_json(recipe)).tree
    assert f"{again.n_leaves} leaves" in grown


def test_a_rival_is_taken_and_taken_back():
    grown, taken, why, undone, more = talk(
        [TITANIC], OPEN, GROW, ("take", {"node": 0, "rank": 2}), ("why", {"node": 0}), ("undo", {}), ("undo", {})
    )[1:]
    assert "[1] sex" in text(grown)
    assert "[1] sex" not in text(taken)
    assert "because it was taken by hand" in text(why)
    assert text(undone) == text(grown)
    assert more[0]
    assert "No split was taken by hand" in more[1][0].text


def test_numbers_of_leaves_are_those_of_the_outline():
    rows = [{"sex": "male", "age": 3}, {"sex": "female", "pclass": 1}, {"sex": None}]
    shown, answers, leaves = map(
        text,
        talk([TITANIC], OPEN, ("grow", {"validation": 0.3}), ("prune", {"method": "reduced_error"}),
             ("show", {"depth": 99}), ("predict", {"rows": rows}), ("segments", {}))[3:],
    )  # fmt: skip
    numbers = {line.split("[")[1].split("]")[0] for line in shown.splitlines() if "[" in line}
    named = [line.split(",") for line in answers.splitlines() if line]
    assert {row[named[0].index("leaf")] for row in named[1:]} <= numbers
    listed = [line.split(",") for line in leaves.splitlines() if line]
    assert {row[listed[0].index("leaf")] for row in listed[1:]} <= numbers
    assert len(named) == 4


def test_pictures_are_png_and_say_what_they_show():
    (_, [tree]), (_, [said, plane]) = talk(
        [TITANIC], OPEN, GROW, ("picture", {}), ("regions", {"x": "age", "y": "fare"})
    )[2:]
    assert all(base64.b64decode(one.data).startswith(b"\x89PNG") for one in (tree, plane))
    assert "left to right: age from" in said.text


@pytest.mark.parametrize(
    ("calls", "words"),
    [
        ([("show", {})], "No table is open. Open one of `tables` first"),
        ([OPEN, ("show", {})], "There is no tree. Grow one first"),
        ([("open", {"name": "/etc/passwd"})], "This file was not given. Open one of: titanic.csv"),
        ([("open", {"name": "../titanic.csv"})], "This file was not given"),
        ([OPEN, ("grow", {"preset": "no"})], "There is no preset called 'no'"),
        ([OPEN, ("grow", {"settings": {"max_dept": 3}})], "There is no setting called 'max_dept'"),
        ([OPEN, GROW, ("why", {"node": 999})], "The tree has no node 999"),
        ([OPEN, GROW, ("take", {"node": 0, "rank": 0})], "possible splits"),
        ([OPEN, GROW, ("regions", {"x": "age", "y": "no"})], "There is no column 'no'"),
        ([OPEN, GROW, ("export", {"format": "png"})], "PNG is no text"),
        ([OPEN, GROW, ("predict", {"rows": []})], "There are 0 rows"),
        ([OPEN, GROW, ("predict", {"rows": [{"sexx": "male"}]})], "The tree knows no column 'sexx'"),
        ([OPEN, GROW, ("prune", {"method": "reduced_error", "parameters": {"no": 1}})], "no"),
    ],
)
def test_faults_are_said_as_the_library_says_them(calls, words):
    is_error, content = talk([TITANIC], *calls)[-1]
    assert is_error
    assert words in content[0].text


def test_every_tool_is_read_only_and_says_what_it_does():
    async def listed():
        async with Client(server(Workbench([]))) as client:
            return (await client.list_tools()).tools

    tools = asyncio.run(listed())
    assert tuple(tool.name for tool in tools) == TOOLS
    assert all(tool.annotations.read_only_hint and tool.description for tool in tools)


def test_only_files_that_were_given_can_be_opened(tmp_path):
    (tmp_path / "inner").mkdir()
    for name in ("a.csv", "inner/b.csv"):
        (tmp_path / name).write_text("x,y\n1,u\n2,v\n")
    bench = Workbench([str(tmp_path)])
    assert list(bench.files) == ["a.csv"]
    with pytest.raises(TreecoreError, match="no such file"):
        Workbench([str(tmp_path / "c.csv")])
    before = sorted(tmp_path.rglob("*"))
    bench.open("a.csv")
    assert sorted(tmp_path.rglob("*")) == before


def test_results_stay_small(tmp_path):
    lines = [f"{i},{i * 7 % 101},{i * 13 % 97},{'uv'[i * 31 % 7 > 3]}" for i in range(1200)]
    (tmp_path / "big.csv").write_text("\n".join(["a,b,c,y", *lines]))
    bench = Workbench([str(tmp_path)])
    bench.open("big.csv", "y")
    bench.grow("sklearn", validation=0.0, test=0.0)
    assert len(tc.rules(tc.grow(bench.table, "sklearn")).rules) > 300
    for result in (bench.show(50), bench.rules(), bench.segments(), bench.curve(), bench.rivals(0, 1000)):
        assert len(result) < MOST_LETTERS + 200


def test_a_process_speaks_over_its_input_and_output():
    async def first_words():
        process = StdioServerParameters(command=sys.executable, args=["-m", "treecore", "mcp", TITANIC])
        async with Client(stdio_client(process)) as client:
            await client.call_tool(*OPEN)
            return await client.call_tool("export", {"format": "json"}), await client.call_tool(*GROW)

    fault, grown = asyncio.run(asyncio.wait_for(first_words(), 120))
    assert fault.is_error
    assert "test: accuracy" in grown.content[0].text


def test_without_the_package_the_command_that_installs_it_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    with pytest.raises(TreecoreError, match=r"pip install 'treecore\[mcp\]'"):
        server(Workbench([]))


def test_the_recipe_is_json():
    assert json.loads(text(talk([TITANIC], OPEN, GROW, ("recipe", {}))[-1]))["steps"]
