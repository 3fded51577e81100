"""The peers that are programs of their own, started once per fit: rpart in R and J48 in Weka. Both time themselves.

Rscript is looked for on the path or is what RSCRIPT says; java likewise (JAVA), and weka.jar is what WEKA_JAR says or
lies where Debian puts it. Reading files is no part of their times.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.peers_settings import Rows, Setting, rows_of

R_CODE = """
given <- commandArgs(TRUE); suppressMessages(library(rpart))
n <- as.integer(given[2]); d <- as.integer(given[3]); is_class <- given[4] == "class"
read <- function(name, count) readBin(file.path(given[1], name), "double", count)
rows <- as.data.frame(matrix(read("X", n * d), n, d))
rows[] <- lapply(rows, if (given[5] == "nominal") factor else function(x) replace(x, is.nan(x), NA))
rows$y <- if (is_class) factor(read("y", n)) else read("y", n)
weights <- read("weights", n)
limits <- rpart.control(cp = 0, xval = 0, maxsurrogate = 0, maxcompete = 0, minsplit = 2,
                        minbucket = as.integer(given[6]), maxdepth = as.integer(given[7]))
memory <- function(key) as.numeric(gsub("[^0-9]", "", grep(key, readLines("/proc/self/status"), value = TRUE))) / 1024
invisible(gc()); try(writeLines("5", "/proc/self/clear_refs"), silent = TRUE); before <- memory("VmRSS")
start <- proc.time()[["elapsed"]]
tree <- rpart(y ~ ., rows, weights = weights, method = given[4], control = limits,
              parms = if (is_class) list(split = given[8]))
seconds <- proc.time()[["elapsed"]] - start
cat(sprintf('{"seconds": %f, "peak_mb": %f, "leaves": %d}\\n', seconds, memory("VmHWM") - before,
            sum(tree$frame$var == "<leaf>")))
"""
DEBIAN_JAR = "/usr/share/java/weka.jar"


class Outside:
    """A program that is started for every fit; has the face of a Worker."""

    most_fits = 3

    def __init__(self, setting: Setting):
        self.setting, self.folder = setting, TemporaryDirectory()
        self.refusal = self.refused()
        if not self.refusal:
            self.write(rows_of(setting), Path(self.folder.name))

    def measured(self, limit: float) -> dict:
        if self.refusal:
            return {"error": self.refusal}
        try:
            done = subprocess.run(self.command(), capture_output=True, text=True, timeout=limit + 120)  # it reads, too
        except subprocess.TimeoutExpired:
            return {"error": f"more than {limit:g} s"}
        return self.read(done.stdout) or {"error": (done.stderr or done.stdout).strip()[-200:]}

    def close(self) -> None:
        self.folder.cleanup()


class Rpart(Outside):
    remark = "at most 30 levels deep; rows without the value take the larger branch"

    @staticmethod
    def absent() -> str:
        """Why it cannot be run here; nothing where it can."""
        program = _rscript()
        if program is None:
            return "no Rscript on the path, nor in RSCRIPT"
        asked = subprocess.run([program, "-e", "library(rpart)"], capture_output=True, text=True)
        return "R has no package rpart" if asked.returncode else ""

    @staticmethod
    def version() -> str:
        code = 'cat(as.character(packageVersion("rpart")), "in R", as.character(getRversion()))'
        return subprocess.run([_rscript(), "-e", code], capture_output=True, text=True).stdout.strip()

    def refused(self) -> str:
        return "" if self.setting.n_rows <= 100_000 else "not tried on more than 100 000 rows"

    def write(self, rows: Rows, folder: Path) -> None:
        rows.X.T.astype(float).tofile(folder / "X")
        rows.y.astype(float).tofile(folder / "y")
        (np.ones(len(rows.y)) if rows.weights is None else rows.weights).tofile(folder / "weights")
        (folder / "fit.R").write_text(R_CODE)

    def command(self) -> list[str]:
        s, folder = self.setting, self.folder.name
        settings = [
            folder, s.n_rows, s.n_columns, "class" if s.n_classes else "anova", s.data, s.min_rows_leaf,
            min(30, s.max_depth or 30), "information" if s.criterion == "entropy" else s.criterion,
        ]  # fmt: skip
        return [_rscript(), f"{folder}/fit.R", *map(str, settings)]

    def read(self, printed: str) -> dict | None:
        lines = [line for line in printed.splitlines() if line.startswith("{")]
        return json.loads(lines[-1]) if lines else None


class J48(Outside):
    remark = "unpruned; by gain ratio; a branch for every level; shares rows without the value; its clock: 10 ms"

    @staticmethod
    def absent() -> str:
        if _java() is None:
            return "no java on the path, nor in JAVA"
        return "" if Path(_jar()).exists() else "no weka.jar, and WEKA_JAR does not say where it is"

    @staticmethod
    def version() -> str:
        return f"in {Path(_jar()).resolve().stem}"

    def refused(self) -> str:
        if not self.setting.n_classes or self.setting.max_depth or self.setting.criterion != "gini":
            return "no regression, limit of depth or choice of impurity"
        return "" if self.setting.n_rows <= 100_000 else "not tried on more than 100 000 rows"

    def write(self, rows: Rows, folder: Path) -> None:
        with (folder / "rows.arff").open("w") as file:
            print("@relation rows", file=file)
            for j, column in enumerate(rows.X.T):
                levels = ",".join(map(str, range(int(column.max()) + 1))) if j in rows.nominal else ""
                print(f"@attribute x{j} {f'{{{levels}}}' if levels else 'numeric'}", file=file)
            print(f"@attribute y {{{','.join(map(str, range(self.setting.n_classes)))}}}\n@data", file=file)
            for i, row in enumerate(rows.X):
                values = ",".join("?" if np.isnan(value) else f"{value:.9g}" for value in row)
                weight = "" if rows.weights is None else f",{{{rows.weights[i]:g}}}"
                print(f"{values},{rows.y[i]}{weight}", file=file)

    def command(self) -> list[str]:
        return [
            _java(), "-Xmx8g", "-XX:+UseSerialGC", "-cp", _jar(), "weka.classifiers.trees.J48", "-U",
            "-M", str(self.setting.min_rows_leaf), "-no-cv", "-t", f"{self.folder.name}/rows.arff",
        ]  # fmt: skip

    def read(self, printed: str) -> dict | None:
        found = dict(line.split(":", 1) for line in printed.splitlines() if ":" in line and "<" not in line)
        taken = next((text for name, text in found.items() if name.startswith("Time taken to build model")), None)
        leaves = next((text for name, text in found.items() if name.startswith("Number of Leaves")), None)
        return None if taken is None else {"seconds": float(taken.split()[0]), "leaves": int(leaves)}


def _rscript() -> str | None:
    return os.environ.get("RSCRIPT") or shutil.which("Rscript")


def _java() -> str | None:
    return os.environ.get("JAVA") or shutil.which("java")


def _jar() -> str:
    return os.environ.get("WEKA_JAR", DEBIAN_JAR)


OUTSIDE = {"rpart": Rpart, "J48": J48}
