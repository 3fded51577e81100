"""The commands and their arguments; bad input ends with exit code 2 and one line that helps."""

import argparse
import sys

from treecore.command_line import commands, mcp
from treecore.command_line.files import check_out, one_by_one, say
from treecore.covering import LEARNERS
from treecore.errors import TreecoreError
from treecore.export.formats import FORMATS
from treecore.presets import PRESETS
from treecore.pruning import PRUNERS
from treecore.study.drift import FAIL_ABOVE

BAD_INPUT, INTERRUPTED = 2, 130
EXAMPLES = """examples:
  treecore grow titanic.csv --target survived --preset c4.5 --prune error_based --out tree.json
  treecore show tree.json --depth 3
  treecore predict tree.json new.csv --out answers.csv
  treecore export tree.json --format sql --table passengers --out tree.sql
  treecore learn titanic.csv --target survived --learner ripper --out rules.json
  treecore page --out explorer.html
  treecore explore titanic.csv
"""


class _Parser(argparse.ArgumentParser):
    """One line for a fault instead of the whole usage."""

    def error(self, message: str):
        say(f"{self.prog}: {message}. See {self.prog} --help.")
        raise SystemExit(BAD_INPUT)


def main(arguments: list[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    parser = _parser()
    try:
        given = parser.parse_args(one_by_one(sys.argv[1:] if arguments is None else arguments))
    except SystemExit as end:
        return int(end.code or 0)
    if given.run is None:
        say(f"{parser.prog}: name a command: {', '.join(COMMANDS)}. See {parser.prog} --help.")
        return BAD_INPUT
    try:
        check_out(getattr(given, "out", None))
        return given.run(given) or 0
    except TreecoreError as fault:
        say(f"{parser.prog} {given.command}: {' '.join(str(fault).split())}")
        return BAD_INPUT
    except BrokenPipeError:  # `treecore show tree.json | head`
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        say("Interrupted; nothing was written.")
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="treecore",
        description="Grow, prune, look at and use decision trees.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=None)
    kinds = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, (fill, text, example) in COMMANDS.items():
        made = kinds.add_parser(
            name,
            help=text,
            description=text,
            epilog=f"example:\n  {example}\n",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        fill(made)
    return parser


def _table(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", help="table to read: CSV, Excel, Parquet and others; - for standard input"
    )
    _part(parser)
    parser.add_argument(
        "--target", metavar="COLUMN", help="column to predict (default: a likely one is chosen and named)"
    )
    _several(parser, "--kind", "COLUMN=KIND", "numeric, nominal, ordinal or boolean")
    parser.add_argument("--weights", metavar="COLUMN", help="column of case weights: how much each row counts")
    parser.add_argument("--counts", action="store_true", help="the target is a number of events: predict its rate")
    parser.add_argument(
        "--exposure", metavar="COLUMN", help="column the events were counted over, such as years; implies --counts"
    )
    parser.add_argument("--time", metavar="COLUMN", help="for survival, with --event: how long each row was observed")
    parser.add_argument(
        "--event", metavar="COLUMN", help="for survival, with --time: 1 where the event happened, else 0"
    )
    parser.add_argument(
        "--treatment", metavar="COLUMN", help="column that says who was treated: predict the effect on the target"
    )
    parser.add_argument("--control", metavar="VALUE", help="with --treatment: the value of rows that were not treated")
    parser.add_argument(
        "--shrink",
        type=float,
        metavar="K",
        help="how strongly rates of small leaves are drawn to the overall rate; 0: not at all (default: 1)",
    )


def _learn(parser: argparse.ArgumentParser) -> None:
    _table(parser)
    parser.add_argument(
        "--learner",
        default="ripper",
        metavar="NAME",
        help=f"rule learner: one of {', '.join(LEARNERS)} (default: ripper)",
    )
    _set(parser, "settings of the learner, such as least=3 (ripper, part)")
    _out(parser)
    parser.set_defaults(run=commands.learn)


def _grow(parser: argparse.ArgumentParser) -> None:
    _table(parser)
    parser.add_argument(
        "--preset", default="cart", metavar="NAME", help=f"algorithm: one of {', '.join(PRESETS)} (default: cart)"
    )
    _set(parser, "a setting of growth, such as max_depth=6")
    parser.add_argument(
        "--prune",
        metavar="METHOD",
        help=f"pruning method: one of {', '.join(PRUNERS)} (default: that of the algorithm)",
    )
    _several(parser, "--prune-set", "NAME=VALUE", "a parameter of the pruning method, such as standard_errors=1")
    parser.add_argument(
        "--validation",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="share of rows held back to choose the size of the tree, such as 0.2 (default: 0)",
    )
    parser.add_argument(
        "--test",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="share of rows held back to test the tree, such as 0.2 (default: 0)",
    )
    parser.add_argument(
        "--seal",
        action="store_true",
        help="keep all figures of the test rows hidden, until the command runs without it",
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=0,
        help="seed of the random split into training, validation and test rows (default: 0)",
    )
    _out(parser)
    parser.set_defaults(run=commands.grow)


def _read(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "model", metavar="MODEL", help="model file, such as JSON of XGBoost, text of LightGBM, ONNX or PMML"
    )
    parser.add_argument(
        "--table", dest="file", metavar="FILE", help="table whose rows are counted in the nodes of the model"
    )
    parser.add_argument("--target", metavar="COLUMN", help="column to predict in that table (default: a likely one)")
    _several(parser, "--kind", "COLUMN=KIND", "numeric, nominal, ordinal or boolean")
    parser.add_argument("--weights", metavar="COLUMN", help="column of case weights in that table")
    parser.add_argument("--classes", metavar="A,B", help="names for the classes, which the model file numbers 0, 1, …")
    parser.add_argument("--tree", type=_levels, metavar="N", help="take the N-th tree of a model of many")
    parser.add_argument(
        "--nearest",
        type=_levels,
        metavar="DEPTH",
        help="grow one tree of this depth that predicts most like all trees together",
    )
    _out(parser)
    parser.set_defaults(run=commands.read)


def _prune(parser: argparse.ArgumentParser) -> None:
    _tree(parser)
    parser.add_argument("--method", required=True, metavar="NAME", help=f"pruning method: one of {', '.join(PRUNERS)}")
    parser.add_argument("--train", metavar="FILE", help="table of training rows, for methods that need them")
    parser.add_argument(
        "--validation", metavar="FILE", help="table of rows that the tree was not grown on, for methods that need them"
    )
    _set(parser, "parameters of the method")
    _out(parser)
    parser.set_defaults(run=commands.prune)


def _predict(parser: argparse.ArgumentParser) -> None:
    _tree(parser, ", or saved rules of treecore learn")
    parser.add_argument("file", metavar="FILE", help="table of rows to predict; columns are matched by name")
    _part(parser)
    parser.add_argument("--rule", action="store_true", help="add a column with the rule of each row's leaf")
    _flag(parser)
    _out(parser, "file to write: .parquet, .xlsx, or CSV for any other name (default: CSV to standard output)")
    parser.set_defaults(run=commands.predict)


def _flag(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--flag",
        type=float,
        metavar="RATE",
        help="add the columns flag (1 where the rate is at least RATE) and segment",
    )
    parser.add_argument(
        "--class",
        dest="interest",
        metavar="NAME",
        help="class whose rate is compared with RATE (default: the rarer of two)",
    )


def _check(parser: argparse.ArgumentParser) -> None:
    _tree(parser)
    parser.add_argument("file", metavar="FILE", help="table of later rows, with or without the target")
    _part(parser)
    parser.add_argument(
        "--train", metavar="FILE", help="table of training rows: compares each feature with them as well"
    )
    parser.add_argument(
        "--target", metavar="COLUMN", help="require the target in FILE (default: judge the tree where it is there)"
    )
    parser.add_argument(
        "--class", dest="interest", metavar="NAME", help="class of interest (default: the rarer of two)"
    )
    parser.add_argument(
        "--date", metavar="COLUMN", help="column of dates: report month by month (default: the only column of dates)"
    )
    told = f"stability index above which the tree no longer holds ({FAIL_ABOVE})"
    parser.add_argument("--fail-above", type=float, default=FAIL_ABOVE, metavar="INDEX", help=told)
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    _out(parser)
    parser.set_defaults(run=commands.check)


def _survival(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tree", metavar="TREE", help="saved tree of survival times (JSON)")
    parser.add_argument("file", metavar="FILE", help="table with the features, the time and the event")
    _out(parser)
    parser.set_defaults(run=commands.survival)


def _segments(parser: argparse.ArgumentParser) -> None:
    _tree(parser)
    parser.add_argument("file", metavar="FILE", nargs="?", help="table whose rows are counted in the leaves as well")
    parser.add_argument(
        "--class",
        dest="interest",
        metavar="NAME",
        help="class whose rate orders the leaves (default: the rarer of two)",
    )
    told = "for survival times: rank by the risk until this time, of the rows of FILE"
    parser.add_argument("--horizon", metavar="TIME", type=float, help=told)
    parser.add_argument(
        "--sort", metavar="COLUMN", help="sort by this column of the result (default: highest rate first)"
    )
    _out(parser, "file to write: .parquet, .xlsx, or CSV for any other name (default: CSV to standard output)")
    parser.set_defaults(run=commands.segments)


def _export(parser: argparse.ArgumentParser) -> None:
    _tree(parser)
    parser.add_argument("--format", required=True, metavar="NAME", help=f"format to write: one of {', '.join(FORMATS)}")
    parser.add_argument("--table", metavar="NAME", help="with SQL: name of the table to query (default: data)")
    parser.add_argument("--name", metavar="TEXT", help="name of the data, for titles")
    parser.add_argument(
        "--rows", metavar="FILE", help="with html: put a sample of these rows, with all columns, into the page"
    )
    parser.add_argument(
        "--sample",
        type=int,
        metavar="N",
        help="with --rows: how many rows, spread evenly over the leaves (default: 200)",
    )
    parser.add_argument(
        "--without", nargs="+", default=[], metavar="COLUMN", help="with --rows: columns to leave out of the page"
    )
    _digits(parser)
    _class(parser)
    _set(parser, "an option of the format, such as scale=4 for png")
    _out(parser)
    parser.set_defaults(run=commands.export)


def _rules(parser: argparse.ArgumentParser) -> None:
    _tree(parser, ", or saved rules of treecore learn")
    parser.add_argument(
        "--format", default="text", choices=list(commands.RULE_FORMATS), help="how to write the rules (default: text)"
    )
    _digits(parser)
    _class(parser)
    _out(parser)
    parser.set_defaults(run=commands.rules)


def _show(parser: argparse.ArgumentParser) -> None:
    _tree(parser)
    parser.add_argument(
        "--depth", type=_levels, default=None, metavar="N", help="number of levels to print (default: all)"
    )
    _digits(parser)
    parser.set_defaults(run=commands.show)


def _levels(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no number of levels, such as 3")
    return int(text)


def _explore(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", help="table to open in the app")
    parser.add_argument(
        "streamlit", nargs=argparse.REMAINDER, help="options for the Streamlit server, such as --server.port 8600"
    )
    parser.set_defaults(run=commands.explore)


def _page(parser: argparse.ArgumentParser) -> None:
    _out(parser)
    parser.set_defaults(run=commands.page)


def _mcp(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="tables, or folders of tables, that the assistant may open; no other file is read",
    )
    parser.set_defaults(run=mcp.mcp)


def _tree(parser: argparse.ArgumentParser, more: str = "") -> None:
    parser.add_argument(
        "tree", metavar="TREE", help=f"saved tree, as written by treecore grow --out{more}; - for standard input"
    )


def _part(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--part", metavar="NAME", help="sheet of a workbook, or file in an archive (default: the first)"
    )


def _set(parser: argparse.ArgumentParser, text: str) -> None:
    _several(parser, "--set", "NAME=VALUE", text)


def _several(parser: argparse.ArgumentParser, option: str, shape: str, text: str) -> None:
    parser.add_argument(option, action="append", default=[], metavar=shape, help=f"{text}; may be repeated")


def _class(parser: argparse.ArgumentParser) -> None:
    told = "class whose rate texts and pictures show (default: the rarer of two)"
    parser.add_argument("--class", dest="interest", metavar="NAME", help=told)


def _digits(parser: argparse.ArgumentParser) -> None:
    told = "digits of thresholds; more are printed where the rounded threshold would divide rows differently"
    parser.add_argument("--digits", type=int, default=None, metavar="N", help=told)


def _out(parser: argparse.ArgumentParser, text: str = "file to write (default: standard output)") -> None:
    parser.add_argument("--out", metavar="FILE", help=text)


COMMANDS = {
    "grow": (
        _grow,
        "Grow a tree from a table, and prune it.",
        "treecore grow iris.csv --target species --out tree.json",
    ),
    "learn": (
        _learn,
        "Learn classification rules directly from a table, without a tree.",
        "treecore learn iris.csv --target species --learner part --out rules.json",
    ),
    "read": (
        _read,
        "Read a model made by another library, and take one of its trees.",
        "treecore read model.json --table iris.csv --target species --nearest 4 --out tree.json",
    ),
    "prune": (_prune, "Prune a saved tree.", "treecore prune tree.json --method error_based --out small.json"),
    "check": (
        _check,
        "Check whether a tree still holds for later rows; the exit code is 1 if not.",
        "treecore check tree.json new.csv --target churn --fail-above 0.25",
    ),
    "survival": (
        _survival,
        "Print median survival times and hazard ratios of the nodes.",
        "treecore survival tree.json patients.csv",
    ),
    "segments": (
        _segments,
        "List the leaves as segments, highest rate first.",
        "treecore segments tree.json new.csv --out leaves.csv",
    ),
    "predict": (_predict, "Predict the rows of a table.", "treecore predict tree.json new.csv --out answers.csv"),
    "export": (
        _export,
        "Write a tree as a picture, a page, code or a model file.",
        "treecore export tree.json --format svg --out tree.svg",
    ),
    "rules": (
        _rules,
        "Print every leaf as a rule, or the rules of treecore learn.",
        "treecore rules tree.json --format markdown",
    ),
    "show": (_show, "Print a tree in the terminal.", "treecore show tree.json --depth 3"),
    "mcp": (
        _mcp,
        "Let an AI assistant work on these tables (Model Context Protocol).",
        "treecore mcp churn.csv tables/",
    ),
    "page": (
        _page,
        "Write an explorer without a server: one HTML file that grows trees from a CSV in the browser.",
        "treecore page --out explorer.html",
    ),
    "explore": (_explore, "Start the app in the browser, and open a table.", "treecore explore iris.csv"),
}
