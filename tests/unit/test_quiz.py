"""Quizzes: read back by parsers written here, marked as a platform would, with numbers from the printed rows."""

import html
import io
import math
import re
import statistics
import xml.etree.ElementTree as ET
import zipfile
from fractions import Fraction

import pandas as pd
import pytest

import treecore as tc
from tests.unit.test_exercises import gain, mixed, rows_of
from treecore.data.samples import read_sample
from treecore.errors import TreecoreError
from treecore.teach.exercises import KINDS, OF_WORDS, ON_A_TREE, TreeAndRows, full_sheet, sheet
from treecore.teach.quiz import FORMS, quiz
from treecore.teach.sheet import Sheet, Task

HOSTILE = ["a}~=b", "#{1:NUMERICAL:=1}", "R&", "<script>", "back\\", "=wrong", "%100%x", "::name::", "]]>", "// c"]
CLOZE = re.compile(r"\{(\d*):(NUMERICAL|MULTICHOICE):((?:[^}\\]|\\.)*?(?<!\\)(?<!&amp;))\}", re.S)


def sheets(name: str = "play_tennis", n: int = 2) -> list[Sheet]:
    table = read_sample(name)
    tree = tc.grow(table, "id3")
    return [full_sheet((*OF_WORDS, *ON_A_TREE), table, TreeAndRows(tree, table), variant) for variant in range(n)]


def of_numbers(variant: int = 0) -> list[Sheet]:
    """Thresholds of irises, and squared errors of cars."""
    made = []
    for name, kind in (("iris", "threshold"), ("mpg", "squares"), ("iris", "thresholds")):
        table = read_sample(name)
        made.append(full_sheet((kind,), table, TreeAndRows(tc.grow(table, "cart"), table), variant))
    return made


def hostile() -> Sheet:
    """Names and levels that have a meaning in every format."""
    rows = {
        "what {?}": HOSTILE * 2,
        "b": [HOSTILE[i % 3] for i in range(20)],
        "y~": [HOSTILE[i // 3 % 2] for i in range(20)],
    }
    return sheet(tc.read_table(pd.DataFrame(rows), target="y~", kinds={"what {?}": "nominal"}), 0)


def cloze(text: str) -> list[dict]:
    """The embedded answers of a question, by Moodle's grammar: options end at an unescaped ~, feedback begins at #."""
    found = []
    for _, kind, answers in CLOZE.findall(text):
        options = []
        for answer in re.split(r"(?<!\\)(?<!&amp;)~", answers):
            share, text_ = re.match(r"(=|%-?[\d.]+%)?(.*)", answer, re.S).groups()
            text_ = re.split(r"(?<!\\)(?<!&amp;)#", text_)[0]
            options.append((share in ("=", "%100%"), html.unescape(re.sub(r"\\([}#~\\])", r"\1", text_)).strip()))
        found.append({"kind": kind, "options": options})
    return found


def moodle(made: bytes) -> dict[str, list[tuple[str, str]]]:
    """Category -> (text, key) of its questions."""
    found, here = {}, None
    for question in ET.fromstring(made):
        if question.get("type") == "category":
            here = found.setdefault(question.findtext("category/text"), [])
        else:
            assert question.get("type") == "cloze"
            here.append((question.findtext("questiontext/text"), question.findtext("generalfeedback/text")))
    return found


@pytest.mark.parametrize("name", ["play_tennis", "willwait", "fruit", "titanic"])
def test_numbers_in_moodle_are_those_of_the_printed_rows(name):
    table = read_sample(name)
    made = [sheet(table, variant) for variant in (0, 3)]
    found = moodle(quiz(made, "moodle"))
    assert [path.rsplit(" ", 1)[1] for path in found] == ["0", "3"], "a category per variant"
    for one, questions in zip(made, found.values(), strict=True):
        rows, target = rows_of(one), table.target
        (answer,) = cloze(questions[0][0])
        value, within = answer["options"][0][1].split(":")
        assert float(value) == pytest.approx(mixed(rows, target, "entropy"), abs=1e-9)
        assert 0 < float(within) < 0.01
        for text, key in questions:
            if asked := re.match(r"<p>Compute the gain of (.*?)\.</p>", text):
                feature = html.unescape(asked[1])
                answers = cloze(text)
                assert float(answers[-1]["options"][0][1].split(":")[0]) == pytest.approx(
                    gain(rows, feature, target, "entropy"), abs=1e-9
                )
                counts = [float(a["options"][0][1].split(":")[0]) for a in answers[:-1]]
                per = len({r[target] for r in rows}) + 1
                assert sum(sum(counts[i : i + per - 1]) for i in range(0, len(counts), per)) == len(rows)
                assert f"gain({asked[1]})" in key, "the arithmetic is the feedback"


@pytest.mark.parametrize("variant", [0, 1, 5])
@pytest.mark.parametrize("name", ["play_tennis", "willwait", "titanic"])
def test_ratios_and_chi_square_are_those_of_the_printed_rows(name, variant):
    table = read_sample(name)
    made = sheet(table, variant, kinds=("gains", "ratios", "chi"))
    rows, target = rows_of(made), table.target
    classes, seen = {r[target] for r in rows}, 0
    for task in made.tasks:
        told = {b.asks: b.value for b in task.blanks}
        if found := re.match(r"Compute the gain ratio of (.*?):", task.text):
            shares = [Fraction(sum(r[found[1]] == v for r in rows), len(rows)) for v in {r[found[1]] for r in rows}]
            parting = -sum(float(s) * math.log2(s) for s in shares)
            expected = gain(rows, found[1], target, "entropy") / parting
            assert told[f"gain ratio({found[1]})"] == pytest.approx(expected, abs=1e-9)
            assert f"= {expected:.4f}" in task.key[-1]
        elif found := re.match(r"Compute χ² of (.*) and ", task.text):
            levels, value = {r[found[1]] for r in rows}, Fraction(0)
            for level in levels:
                for label in classes:
                    n = sum(r[found[1]] == level and r[target] == label for r in rows)
                    here, there = (sum(r[c] == v for r in rows) for c, v in ((found[1], level), (target, label)))
                    expected = Fraction(here * there, len(rows))
                    value += (n - expected) ** 2 / expected
            assert told["χ²"] == pytest.approx(float(value))
            assert told["degrees of freedom"] == (len(levels) - 1) * (len(classes) - 1)
        seen += task.text.startswith(("Compute the gain ratio", "Compute χ²"))
    assert seen >= 4


@pytest.mark.parametrize("variant", range(4))
def test_thresholds_and_squared_errors_are_those_of_the_printed_rows(variant):
    threshold, squares, _ = (one.tasks[0] for one in of_numbers(variant))
    (name, target), printed = threshold.given[0].columns, threshold.given[0].rows
    rows = [{name: Fraction(a), target: b} for a, b in printed]
    gains = {}
    for (text, _), blank in zip(threshold.blank.rows, threshold.blanks, strict=False):
        cut = [r | {"side": r[name] < Fraction(text)} for r in rows]
        assert 0 < sum(r["side"] for r in cut) < len(rows)
        gains[f"{name} < {text}"] = gain(cut, "side", target, "entropy")
        assert blank.value == pytest.approx(gains[f"{name} < {text}"], abs=1e-9)
    asked = threshold.blanks[-1]
    right = {asked.options[i] for i in asked.right}
    assert right == {text for text, value in gains.items() if value >= max(gains.values()) - 1e-9}
    (name, _), printed = squares.given[0].columns, squares.given[0].rows
    rows = [(float(a), float(b)) for a, b in printed]
    left = {}
    for (text, _), blank in zip(squares.blank.rows, squares.blanks[2:], strict=False):
        sides = [[y for x, y in rows if (x < float(text)) == side] for side in (True, False)]
        left[f"{name} < {text}"] = sum(len(side) * statistics.pvariance(side) for side in sides)
        assert blank.value == pytest.approx(left[f"{name} < {text}"], rel=1e-9)
    assert squares.blanks[0].value == pytest.approx(statistics.mean(y for _, y in rows))
    asked = squares.blanks[-1]
    assert {asked.options[i] for i in asked.right} == {k for k, v in left.items() if v <= min(left.values()) + 1e-9}


@pytest.mark.parametrize("variant", range(6))
def test_a_tree_of_thresholds_asks_at_every_node_what_gains_most(variant):
    task = of_numbers(variant)[2].tasks[0]
    (grid,) = task.given
    rows = [dict(zip(grid.columns, row, strict=True)) for row in grid.rows]
    target, questions = grid.columns[-1], [name for name, _ in task.draws]
    assert len(questions) > 2
    for row in rows:
        for question in questions:
            name, bound = question.rsplit(" < ", 1)
            row[question] = "yes" if Fraction(row[name]) < Fraction(bound) else "no"
    for blank in task.blanks:
        here = [r for r in rows if all(r[question] == answer for question, answer in blank.path)]
        right = {blank.options[i] for i in blank.right}
        gains = {f"asks {q}": gain(here, q, target, "entropy") for q in questions}
        most = max(gains.values())
        if right & gains.keys():
            assert most > 1e-9
            assert right == {text for text, value in gains.items() if value >= most - 1e-9}
        else:
            assert most < 1e-9
            counts = {f"answers {v}": sum(r[target] == v for r in here) for v in {r[target] for r in here}}
            assert right == {text for text, n in counts.items() if n == max(counts.values())}


@pytest.mark.parametrize("variant", range(5))
def test_the_planted_mistake_is_the_only_one(variant):
    made = sheet(read_sample("willwait"), variant, kinds=("rows", "mistake"))
    task, rows = made.tasks[-1], rows_of(made)
    answers = [row[-1] for row in task.given[-1].rows]
    rules, right = task.blanks[0].options, []
    for rule, answer in zip(rules, answers, strict=True):
        tests = [part.split(" = ") for part in rule.split(" AND ")]
        here = [r["WillWait"] for r in rows if all(r[feature] == level for feature, level in tests)]
        right.append(not here or here.count(answer) * 2 >= len(here))
    assert right.count(False) == 1
    assert task.blanks[0].right == (right.index(False),)


def test_what_cannot_be_asked_is_refused_with_the_way_out():
    iris, mpg = read_sample("iris"), read_sample("mpg")
    grown = TreeAndRows(tc.grow(iris, "cart"), iris)
    for kind, table, told in (
        ("squares", iris, "numeric target"), ("threshold", mpg, "count classes"), ("ratios", iris, "two to six levels"),
        ("thresholds", mpg, "count classes"), ("thresholds", read_sample("play_tennis"), "No number parts the rows"),
        ("threshold", read_sample("play_tennis"), "No number parts the rows"),
    ):  # fmt: skip
        with pytest.raises(TreecoreError, match=told) as fault:
            full_sheet((kind,), table, grown)
        assert fault.value.remedy


def test_ties_are_right_in_every_way():
    """Two columns that are one: either may be asked first, at every node."""
    rows = {"a": list("xxyy") * 3, "b": list("uuvv") * 3, "y": ["no", "no", "yes", "yes"] * 3}
    made = sheet(tc.read_table(pd.DataFrame(rows), target="y"))
    first = next(t for t in made.tasks if t.text.startswith("Which attribute"))
    assert first.blanks[0].right == (0, 1)
    root = next(t for t in made.tasks if t.text.startswith("Draw")).blanks[0]
    assert {root.options[i] for i in root.right} == {"asks a", "asks b"}


def test_the_drawn_tree_is_asked_node_by_node():
    made = sheet(read_sample("play_tennis"))
    blanks = next(t for t in made.tasks if t.text.startswith("Draw")).blanks
    told = {b.asks: [b.options[i] for i in b.right] for b in blanks}
    assert told["All rows"] == ["asks Outlook"]
    assert told["Outlook = Overcast"] == ["answers Yes"]
    assert told["Outlook = Sunny AND Humidity = High"] == ["answers No"]
    assert len(told) == 8


def test_pruning_and_alphas_are_marked_by_what_the_key_says():
    made = sheets("willwait", 3)
    for one in made:
        prune, alphas = one.tasks[-2:]
        told = {b.asks: b for b in prune.blanks}
        for line in prune.key[:-1]:
            t, wrong, below, verdict = re.match(
                r"(t\d+) .*= (\d+) wrong; its branches .* = (\d+); .*: (keep|cut)\.", line
            ).groups()
            assert told[f"{t}: wrong as a leaf"].value == int(wrong)
            assert told[f"{t}: wrong with branches"].value == int(below)
            choice = told[f"{t}: keep or cut"]
            assert choice.options[choice.right[0]] == verdict
        left, wrong = re.match(r"What is left has (\d+) lea\w+ and (\d+) of", prune.key[-1]).groups()
        assert (told["leaves left"].value, told["rows that the pruned tree gets wrong"].value) == (
            int(left),
            int(wrong),
        )
        told = {b.asks: b for b in alphas.blanks}
        for line in alphas.key:
            if found := re.match(r"Step (\d+): least g, α = ([\d/]+)(?: = [\d.]+)?: (.*) cut; (\d+) lea", line):
                k, alpha, nodes, leaves = found.groups()
                assert told[f"step {k}: α"].value == pytest.approx(float(Fraction(alpha)))
                assert told[f"step {k}: leaves"].value == int(leaves)
                choice = told[f"step {k}: nodes cut"]
                assert choice.options[choice.right[0]] == nodes
                assert len(choice.options) > 1


def qti_points(item: ET.Element, answers: dict[str, str]) -> float:
    """What responseProcessing gives for these answers."""
    ns = {"q": "http://www.imsglobal.org/xsd/imsqti_v2p1"}
    right = {
        d.get("identifier"): (d.get("baseType"), d.findtext("q:correctResponse/q:value", namespaces=ns))
        for d in item.findall("q:responseDeclaration", ns)
    }

    def holds(test) -> bool:
        kind = test.tag.split("}")[1]
        if kind == "or":
            return any(map(holds, test))
        name = test.find("q:variable", ns).get("identifier")
        if kind == "match":
            return answers.get(name) == test.findtext("q:baseValue", namespaces=ns)
        assert kind == "equal"
        assert right[test.find("q:correct", ns).get("identifier")][0] == "float"
        return name in answers and abs(float(answers[name]) - float(right[name][1])) <= float(
            test.get("tolerance").split()[0]
        )

    cases = item.findall("q:responseProcessing/q:responseCondition/q:responseIf", ns)
    return float(sum(holds(case[0]) for case in cases))


def test_a_package_gives_points_for_right_answers_and_none_for_wrong_ones():
    made = [*sheets(), hostile()]
    with zipfile.ZipFile(io.BytesIO(quiz(made, "qti"))) as file:
        names = set(file.namelist())
        manifest = ET.fromstring(file.read("imsmanifest.xml"))
        assert {f.get("href") for f in manifest.iter() if f.tag.endswith("}file")} | {"imsmanifest.xml"} == names
        test = ET.fromstring(file.read("quiz.xml"))
        sections = [s for s in test.iter() if s.tag.endswith("}assessmentSection")]
        assert len(sections) == len(made)
        for one, section in zip(made, sections, strict=True):
            tasks = [task for task in one.tasks if task.blanks]
            assert len(section) == len(tasks)
            for ref, task in zip(section, tasks, strict=True):
                item = ET.fromstring(file.read(ref.get("href")))
                right = {
                    f"R{i}": f"c{b.right[-1]}" if b.options else repr(float(b.value))
                    for i, b in enumerate(task.blanks, 1)
                }
                wrong = {
                    f"R{i}": f"c{min(set(range(len(b.options) + 1)) - set(b.right))}"
                    if b.options
                    else repr(b.value + 0.5)
                    for i, b in enumerate(task.blanks, 1)
                }
                assert qti_points(item, right) == len(task.blanks)
                assert qti_points(item, wrong) == qti_points(item, {}) == 0
                asked = [e for e in item.iter() if e.tag.endswith(("textEntryInteraction", "inlineChoiceInteraction"))]
                assert sorted(e.get("responseIdentifier") for e in asked) == sorted(right)


def gift(text: str) -> list[tuple[str, str]]:
    """(category, answers) of every question, escapes undone later."""
    found, category = [], None
    for block in text.split("\n\n"):
        if block.startswith("$CATEGORY: "):
            category = block.strip()
            continue
        parts = re.match(r"::((?:[^:\\]|\\.)*)::\[html\]((?:[^{}\\]|\\.)*)\{((?:[^}\\]|\\.)*)\}\s*$", block, re.S)
        assert parts, block[:200]
        found.append((category, parts[3]))
    return found


def test_gift_has_a_question_for_every_answer():
    made = [*sheets(), hostile()]
    found = gift(quiz(made, "gift").decode())
    blanks = [blank for one in made for task in one.tasks for blank in task.blanks]
    assert len(found) == len(blanks)
    for (_, answers), blank in zip(found, blanks, strict=True):
        answers, key = re.split(r"(?<!\\)####", answers)
        assert key.startswith("[html]<p>")
        if blank.options:
            told = re.findall(r"(?<!\\)([=~])((?:[^=~\\]|\\.)*)", answers)
            assert [sign for sign, _ in told] == ["=" if i in blank.right else "~" for i in range(len(blank.options))]
            shown = [re.sub(r"\\(.)", r"\1", text).strip() for _, text in told]
            assert shown == [" ".join(option.split()) for option in blank.options]
        else:
            value, within = map(float, answers.removeprefix("#").split(":"))
            assert (value, within) == pytest.approx((blank.value, blank.within), abs=1e-9)


def test_names_that_mean_something_stay_names():
    made = hostile()
    found = moodle(quiz([made], "moodle"))
    ((path, questions),) = found.items()
    assert path.startswith("$course$/top/Decision trees: y~")
    tasks = [task for task in made.tasks if task.blanks]
    for (text, _), task in zip(questions, tasks, strict=True):
        answers = cloze(text)
        assert len(answers) == len(task.blanks), "no name begins a field"
        assert "<script" not in text
        choices = {
            tuple((i in b.right, " ".join(o.split())) for i, o in enumerate(b.options))
            for b in task.blanks
            if b.options
        }
        assert {tuple(a["options"]) for a in answers if a["kind"] == "MULTICHOICE"} == choices


def test_the_same_quiz_is_the_same_file_and_what_cannot_be_marked_is_refused():
    made = sheets()
    for form in FORMS:
        assert quiz(made, form) == quiz(made, form)
    with pytest.raises(TreecoreError, match="no quiz format called 'odt'"):
        quiz(made, "odt")
    with pytest.raises(TreecoreError, match="No question here has an answer to mark"):
        quiz([Sheet("title", 0, (Task("Why?"),))], "gift")


def test_every_kind_of_exercise_can_be_marked():
    made = [task for one in (sheets()[0], *of_numbers()) for task in one.tasks]
    assert all(task.blanks for task in made)
    for task in made:
        for blank in task.blanks:
            assert not blank.options or 0 < len(blank.right) <= len(blank.options)
            if blank.place is not None:
                i, k = blank.place
                assert task.blank.rows[i][k] == "", "what is printed already is not asked"
        empty = [
            (i, k)
            for i, row in enumerate(task.blank.rows if task.blank else ())
            for k, cell in enumerate(row)
            if not cell
        ]
        assert {blank.place for blank in task.blanks if blank.place} == set(empty)
    assert {*OF_WORDS, *ON_A_TREE, "threshold", "thresholds", "squares"} == set(KINDS)
