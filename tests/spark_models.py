"""Trees of Spark ML read as ours: the same answers and classes, whatever is missing or unseen.

Spark needs Java and is large, so that neither the suite nor .ci/run collects this:

uv run --with pyspark==4.3.0 pytest -n 0 tests/spark_models.py

`python -m tests.spark_models` writes the models that the suite reads, tests/golden/spark; by an older version those
whose files differ.
"""

import json
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from pyspark import __version__
from pyspark.ml import Pipeline
from pyspark.ml.classification import DecisionTreeClassifier, GBTClassifier, LogisticRegression, RandomForestClassifier
from pyspark.ml.feature import OneHotEncoder, StringIndexer, VectorAssembler
from pyspark.ml.regression import DecisionTreeRegressor, GBTRegressor, RandomForestRegressor
from pyspark.sql import SparkSession

import treecore as tc
from treecore.importing.model_source import packed

GOLDEN = Path(__file__).parent / "golden" / "spark"
OLDER = "-of-spark-3"
LEVELS = ["u", "v", "w & co", "x", "1"]
COLUMNS = "a double, b double, k string, m string"
MODELS = {
    "tree-two": lambda **to: DecisionTreeClassifier(maxDepth=4, seed=1, **to),
    "tree-three": lambda **to: DecisionTreeClassifier(maxDepth=4, seed=1, impurity="entropy", **to),
    "tree-numbers": lambda **to: DecisionTreeRegressor(maxDepth=4, seed=1, **to),
    "forest-three": lambda **to: RandomForestClassifier(maxDepth=4, numTrees=3, seed=1, **to),
    "forest-numbers": lambda **to: RandomForestRegressor(maxDepth=4, numTrees=3, seed=1, **to),
    "boosted-two": lambda **to: GBTClassifier(maxDepth=3, maxIter=4, seed=1, **to),
    "boosted-numbers": lambda **to: GBTRegressor(maxDepth=3, maxIter=4, seed=1, **to),
}  # fmt: skip


@pytest.fixture(scope="session", name="spark")
def session():
    started = started_session()
    yield started
    started.stop()


def started_session() -> SparkSession:
    about = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    found = about.config("spark.sql.shuffle.partitions", "1").getOrCreate()
    found.sparkContext.setLogLevel("ERROR")
    return found


def drawn(seed: int, n: int = 150) -> tuple[pd.DataFrame, pd.DataFrame, np.ndarray]:
    """(features, another draw of them with gaps and unseen words, numbers)."""
    rng, frames = np.random.RandomState(seed), []
    for levels in (LEVELS, [*LEVELS, "unseen"]):
        frame = pd.DataFrame(rng.randn(n, 2).round(rng.randint(0, 3)), columns=["a", "b"])
        frames.append(frame.assign(k=rng.choice(levels, n), m=rng.choice(levels, n)))
    frames[1] = frames[1].mask(rng.rand(n, 4) < 0.1)
    z = frames[0]["a"] + 2 * (frames[0]["k"] == "u") - frames[0]["m"].isin(["v", "x"]) + rng.randn(n) / 2
    return frames[0], frames[1], z.to_numpy()


def target_of(kind: str, z: np.ndarray):
    words = np.array(["low", "middle", "high"])
    return z if kind == "numbers" else words[np.digitize(z, [0.5] if kind == "two" else [0, 1.2])]


def rows_of(spark, frame: pd.DataFrame, y=None):
    """A missing number is NaN, a missing word is null."""
    words = frame[["k", "m"]].astype(object).where(frame[["k", "m"]].notna(), None)
    numbers = frame[["a", "b"]].to_numpy(float).tolist()
    told = [[*a, *b] for a, b in zip(numbers, words.to_numpy().tolist(), strict=True)]
    if y is None:
        return spark.createDataFrame(told, COLUMNS)
    kind = "double" if isinstance(y[0], float) else "string"
    return spark.createDataFrame([[*row, v] for row, v in zip(told, y.tolist(), strict=True)], f"{COLUMNS}, y {kind}")


def fitted(spark, name: str, frame: pd.DataFrame, y, unknown: str = "keep"):
    """A pipeline around a model of MODELS."""
    is_number = name.endswith("numbers")
    stages = [
        StringIndexer(inputCols=["k"], outputCols=["kk"], handleInvalid=unknown),
        StringIndexer(inputCol="m", outputCol="mm", handleInvalid=unknown),
        VectorAssembler(inputCols=["b", "kk", "mm", "a"], outputCol="features", handleInvalid="keep"),
    ]
    stages += [] if is_number else [StringIndexer(inputCol="y", outputCol="yy")]
    stages.append(MODELS[name](labelCol="y" if is_number else "yy"))
    return Pipeline(stages=stages).fit(rows_of(spark, frame, y))


def answers(spark, model, rows: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """(answers, as numbers; shares of classes)."""
    found = model.transform(rows_of(spark, rows)).collect()
    shares = [row["probability"].toArray() for row in found] if "probability" in found[0] else []
    return np.array([row["prediction"] for row in found]), np.array(shares)


def check(spark, found, model, rows: pd.DataFrame) -> None:
    said, shares = answers(spark, model, rows)
    if not found.classes:
        np.testing.assert_allclose(found.predict(rows), said, rtol=1e-13, atol=1e-14)
        return
    names = model.stages[-2].labels
    places = [found.classes.index(name) for name in names]
    np.testing.assert_allclose(found.predict_proba(rows)[:, places], shares, rtol=1e-13, atol=1e-14)
    assert (found.predict(rows) == np.array(names)[said.astype(int)]).all()


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("seed", range(3))
def test_answers_are_sparks(spark, name, seed):
    frame, probes, z = drawn(seed)
    y = target_of(name.split("-")[1], z)
    model = fitted(spark, name, frame, y)
    table = tc.read_table(frame.assign(y=y), target="y")
    for found in (tc.read_model(model), tc.read_model(model, table)):
        for rows in (frame, probes):
            check(spark, found, model, rows)


def test_a_model_without_its_pipeline(spark):
    """Its columns have no names, and its categories and classes are numbers."""
    frame, _, z = drawn(5)
    model = fitted(spark, "tree-two", frame, target_of("two", z))
    vectors = pd.DataFrame([row["features"].toArray() for row in model.transform(rows_of(spark, frame)).collect()])
    rows = vectors.set_axis([f"x{j}" for j in range(4)], axis=1)
    found = tc.read_model(model.stages[-1])
    assert [feature.kind for feature in found.schema.features] == ["numeric", "nominal", "nominal", "numeric"]
    said, shares = answers(spark, model, frame)
    assert (found.predict(rows) == said.astype(int).astype(str)).all()
    np.testing.assert_allclose(found.predict_proba(rows), shares, rtol=1e-14)
    assert tc.read_model(model.stages[-1], classes=["low", "high"]).classes == ("low", "high")


def test_what_a_tree_here_cannot_say_is_refused(spark):
    frame, _, z = drawn(6)
    y = target_of("two", z)
    rows = rows_of(spark, frame, y)
    index = [StringIndexer(inputCol="k", outputCol="kk"), StringIndexer(inputCol="y", outputCol="yy")]
    hot = [OneHotEncoder(inputCol="kk", outputCol="kv"), VectorAssembler(inputCols=["a", "kv"], outputCol="features")]
    with pytest.raises(tc.TreecoreError, match="changes columns in a way"):
        tc.read_model(Pipeline(stages=[*index, *hot, DecisionTreeClassifier(labelCol="yy")]).fit(rows))
    plain = VectorAssembler(inputCols=["a", "b"], outputCol="features")
    by_thresholds = DecisionTreeClassifier(labelCol="yy").setThresholds([0.2, 0.8])
    with pytest.raises(tc.TreecoreError, match="by thresholds"):
        tc.read_model(Pipeline(stages=[*index, plain, by_thresholds]).fit(rows))
    with pytest.raises(tc.TreecoreError, match="None of its stages is a tree"):
        tc.read_model(Pipeline(stages=[*index, plain, LogisticRegression(labelCol="yy")]).fit(rows))


def main() -> None:
    spark = started_session()
    GOLDEN.mkdir(exist_ok=True)
    frame, probes, z = drawn(3, n=120)
    rows = pd.concat([frame.head(10), probes.head(20)])
    older = __version__.startswith("3.")
    for name in ("forest-three", "boosted-two") if older else MODELS:
        model = fitted(spark, name, frame, target_of(name.split("-")[1], z))
        with tempfile.TemporaryDirectory() as folder:
            model.write().overwrite().save(Path(folder, "model").as_uri())
            (GOLDEN / f"{name}{OLDER * older}.zip").write_bytes(packed(Path(folder, "model")))
        said, shares = answers(spark, model, rows)
        about = {"labels": [] if name.endswith("numbers") else model.stages[-2].labels, "answers": said.tolist(),
                 "shares": shares.tolist(), "rows": json.loads(rows.to_json(orient="records"))}  # fmt: skip
        (GOLDEN / f"{name}{OLDER * older}.json").write_text(
            json.dumps(about, indent=1, ensure_ascii=False) + "\n", "utf-8"
        )
    spark.stop()


if __name__ == "__main__":
    main()
