"""J48's text of random tables, and what Weka answers of rows with gaps: python record.py weka.jar, in this folder."""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
LEVELS = {"k": ["u", "v", "w & co", "x: y"], "binary": ["t", "f"]}
LINE = re.compile(r"^\s*\d+\s+\S+\s+(\d+):(.+?)\s+\+?\s*([\d.*,]+)\s*$")


def rows_of(rng, n: int, classes: list[str]) -> list[dict]:
    found = []
    for _ in range(n):
        row = {"a": round(rng.randn(), 1), "a <= b": round(rng.randn() * 100, 3)}
        row |= {name: levels[rng.randint(len(levels))] for name, levels in LEVELS.items()}
        z = row["a"] + (row["k"] == "u") + (row["binary"] == "t") * row["a <= b"] / 100 + rng.randn() / 2
        row["y"] = classes[int(np.digitize(z, [0.5, 1.5][: len(classes) - 1]))]
        found.append({key: None if key != "y" and rng.rand() < 0.12 else value for key, value in row.items()})
    return found


def arff(rows: list[dict], classes: list[str]) -> str:
    quoted = lambda text: f"'{text}'"  # noqa: E731
    kinds = {"a": "numeric", "a <= b": "numeric"} | {
        name: "{" + ",".join(map(quoted, levels)) + "}" for name, levels in [*LEVELS.items(), ("y", classes)]
    }
    head = "\n".join(f"@attribute {quoted(name)} {kind}" for name, kind in kinds.items())
    cell = lambda value: "?" if value is None else quoted(value) if isinstance(value, str) else str(value)  # noqa: E731
    body = "\n".join(",".join(cell(row[name]) for name in kinds) for row in rows)
    return f"@relation r\n{head}\n@data\n{body}\n"


def weka(jar: str, *arguments: str) -> str:
    command = ["java", "-cp", jar, "weka.classifiers.trees.J48", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def main(jar: str) -> None:
    for seed in range(6):
        rng, classes = np.random.RandomState(seed), ["no", "yes"] if seed % 2 else ["no", "yes", "may be"]
        train, probes = rows_of(rng, 160, classes), rows_of(rng, 40, classes)
        options = [[], ["-B"], ["-U"]][seed // 2]
        with tempfile.TemporaryDirectory() as folder:
            t, p = Path(folder, "t.arff"), Path(folder, "p.arff")
            t.write_text(arff(train, classes), "utf-8")
            p.write_text(arff(probes, classes), "utf-8")
            text = weka(jar, "-t", str(t), "-no-cv", "-v", *options)
            told = weka(jar, "-t", str(t), "-T", str(p), "-p", "0", "-distribution", *options)
        rows = [line for line in told.splitlines() if re.match(r"^\s+\d+\s", line)]
        answers = [re.findall(r"\d+:(\S+(?: be)?)", line)[1] for line in rows]
        shares = [[float(part.strip("*")) for part in line.split()[-1].split(",")] for line in rows]
        end = text.index("Size of the tree")
        name = f"j48-{seed}"
        (HERE / f"{name}.txt").write_text(text[: text.index("\n", end) + 1], "utf-8")
        told = {"classes": classes, "rows": probes, "answers": answers, "shares": shares}
        (HERE / f"{name}.json").write_text(json.dumps(told) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
