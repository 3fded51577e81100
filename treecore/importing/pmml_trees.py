"""Trees of PMML: a TreeModel, or a MiningModel of them, with predicates of any kind and strategies for missing values.

A row goes to the first child whose predicate is true. What several features decide at one node becomes one test with
surrogates where it is that, and else tests one below the other.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

import numpy as np

from treecore.data.level_index import level_index
from treecore.data.table import Table
from treecore.ensembles.ensemble import Ensemble
from treecore.ensembles.imported import Averaged, SummedTrees
from treecore.importing.model_source import MOST_NODES, ModelSource, fault_texts, unsaid
from treecore.importing.model_tree import class_labels, counted, counted_outputs, shares_that_answer, target_name
from treecore.importing.predicates import NULL, STAY, Emitted, Predicate, Shape, Thought, features_of
from treecore.tree.schema import FeatureSchema, Schema
from treecore.tree.tree import Tree

# XML from anybody: without entities or a document type, and of a bounded size.

DEEPEST, MOST_ELEMENTS = 2000, 20_000_000


def from_xml(data: bytes) -> Element:
    """The outermost element; names are without their namespaces. ValueError for what is broken or forbidden."""
    builder, depth, n = TreeBuilder(), 0, 0
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def start(name: str, attributes: dict) -> None:
        nonlocal depth, n
        depth, n = depth + 1, n + 1
        if depth > DEEPEST or n > MOST_ELEMENTS:
            raise ValueError("it is nested too deep, or too large")
        builder.start(_local(name), {_local(key): value for key, value in attributes.items()})

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(_local(name))

    def refuse(*about) -> None:
        raise ValueError("it declares a document type or entities, which are not read")

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, builder.data
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    parser.ExternalEntityRefHandler = parser.UnparsedEntityDeclHandler = refuse
    try:
        parser.Parse(data, True)
        return builder.close()
    except expat.ExpatError as fault:
        raise ValueError(f"XML, line {fault.lineno}") from None
    except AssertionError:
        raise ValueError("it has no element") from None


def _local(name: str) -> str:
    return name.rpartition(":")[2]


VOTES = {"average": True, "weightedAverage": True, "majorityVote": False, "weightedMajorityVote": False}
"""multipleModelMethod -> do trees vote with the shares of their leaves, or with one class?"""
SUMS = ("sum", "weightedSum")
ONE = 1e-6


def is_mine(source: ModelSource) -> bool:
    return source.given is None and b"<PMML" in source.head.lstrip(b"\xef\xbb\xbf")


def read(source: ModelSource, table: Table | None, classes: tuple[str, ...] | None) -> Tree | Ensemble:
    with fault_texts(source):
        root = from_xml(source.content)
        models = [part for part in root if part.tag in MODELS]
        others = [part.tag for part in root if part.tag.endswith("Model") and part.tag not in MODELS]
        if len(models) != 1:
            what = f"It has a {others[0]}" if others else f"It has {len(models)} models of trees, not one"
            raise unsaid("PMML", what, "Save a TreeModel, or a MiningModel of them")
        document = _document(root, models[0], table)
        return MODELS[models[0].tag](models[0], document, table)


# what the document says of its fields


@dataclass
class Document:
    """features : in the order of the schema. place : name of a field, or of one derived from it -> feature. texts : of
    a feature with levels, text -> index of the level. answers : names of the classes as the file has them, () for
    numbers. labels : as a table of ours has them."""

    schema: Schema
    place: dict[str, int]
    texts: dict[int, Mapping[str, int]]
    answers: tuple[str, ...] = ()


def _document(root: Element, model: Element, table: Table | None) -> Document:
    told = {part.get("name"): part for part in root.iterfind("DataDictionary/DataField")}
    mining = {part.get("name"): part for part in model.iterfind("MiningSchema/MiningField")}
    of_classes = model.get("functionName") == "classification"
    if model.get("functionName") not in ("classification", "regression"):
        raise unsaid("functionName", f"It is for {model.get('functionName')}", "Save a model of classes or of numbers")
    targets = [name for name, part in mining.items() if part.get("usageType") in ("target", "predicted")]
    derived = {part.get("name"): part for part in root.iter("DerivedField")}
    asked = _asked(model)
    outputs = {part.get("name") for part in root.iter("OutputField")}
    place: dict[str, int] = {}
    features: list[FeatureSchema] = []
    texts: dict[int, Mapping[str, int]] = {}

    def add(name: str) -> int:
        if name not in place:
            if name in outputs and name not in told and name not in derived:  # as leaves with lines are written
                what = f"A model in it goes by {name!r}, which is what another one answers"
                remedy = "Save one tree with plain answers, or boosted trees; a tree grown here as JSON or ONNX"
                raise unsaid("modelChain", what, remedy)
            made = _derived(derived[name], add, features) if name in derived else None
            if made is None:
                made = _feature(told[name], mining.get(name), asked.get(name, ()))
            if isinstance(made, int):
                place[name] = made
            else:
                place[name] = len(features)
                features.append(made)
        return place[name]

    for name in [*(name for name in mining if name in told and name not in targets), *asked]:
        add(name)
    for f, feature in enumerate(features):
        if feature.levels:
            index = level_index(feature.levels)
            texts[f] = {text: index.place(text) for name, at in place.items() if at == f for text in (
                *feature.levels, *asked.get(name, ()), *(value.get("value", "") for value in told[name])
            )}  # fmt: skip
    answers = _answers(model, told.get(targets[0]) if targets else None) if of_classes else ()
    if of_classes and len(answers) < 2:
        raise unsaid("classes", "It knows a single class", "Save a model that was trained on rows of two classes")
    name = targets[0] if targets and targets[0] not in place else None
    if name is None or (table is not None and table.target is not None):
        name = target_name(table, place)
    labels = class_labels(answers, table) if of_classes else ()
    kinds = {_type(told, derived, name) for name in asked if features[place[name]].numeric}
    if kinds == {"float", "double"}:
        raise unsaid("dataType", "Some numbers have 32 bits and others 64", "Save it with one type of numbers")
    precision = "float32" if kinds == {"float"} else "float64"
    return Document(Schema(tuple(features), name, labels, precision), place, texts, answers)


def _asked(model: Element) -> dict[str, tuple[str, ...]]:
    """Field -> the values that predicates name, in their order."""
    result: dict[str, dict[str, None]] = {}
    for part in model.iter():
        if part.tag == "SimplePredicate":
            result.setdefault(part.get("field"), {}).update({part.get("value"): None} if part.get("value") else {})
        elif part.tag == "SimpleSetPredicate":
            result.setdefault(part.get("field"), {}).update(dict.fromkeys(_array(part)))
    return {name: tuple(values) for name, values in result.items()}


def _array(predicate: Element) -> list[str]:
    array = predicate.find("Array")
    text = array.text or ""
    if array.get("type") == "string":
        return [re.sub(r"\\(.)", r"\1", quoted) if quoted or not plain else plain
                for quoted, plain in re.findall(r'"((?:[^"\\]|\\.)*)"|(\S+)', text)]  # fmt: skip
    return text.split()


def _feature(told: Element, mining: Element | None, named: tuple[str, ...]) -> FeatureSchema:
    name, kind = told.get("name"), told.get("optype")
    values = [part.get("value") for part in told.iterfind("Value") if part.get("property", "valid") == "valid"]
    missing = [part.get("value", "") for part in told.iterfind("Value") if part.get("property") == "missing"]
    is_number = kind == "continuous"
    if is_number and any(_is_number(text) for text in missing):
        what = f"It takes {', '.join(missing)} for missing"
        raise unsaid(f"field {name!r}", what, "Read this value as missing in the table, and save the model without it")
    stands_in = None if mining is None else mining.get("missingValueReplacement")
    if is_number:
        return FeatureSchema(name, "numeric", fill=None if stands_in is None else float(stands_in))
    levels: list[str] = []
    for text in dict.fromkeys([*values, *named]):
        if level_index(tuple(levels)).place(text) < 0:
            levels.append(text)
    if not levels:
        return FeatureSchema(name, "nominal", ("",))
    as_missing = mining is not None and mining.get("invalidValueTreatment") == "asMissing"
    fill = None if stands_in is None else float(level_index(tuple(levels)).place(stands_in))
    return FeatureSchema(name, "ordinal" if as_missing or kind == "ordinal" else "nominal", tuple(levels), fill)


def _is_number(text: str) -> bool:
    try:
        return float(text) == float(text)
    except ValueError:
        return False


def _derived(told: Element, add, features: list) -> int | FeatureSchema | None:
    """The feature that a derived field is: another one in other bits, or a weighted sum. None for what is refused."""
    what = next((part for part in told if part.tag in ("FieldRef", "Apply")), None)
    if what is not None and what.tag == "FieldRef" and what.get("mapMissingTo") is None:
        return add(what.get("field"))
    terms = _terms(what) if what is not None else None
    if terms is None:
        remedy = "Save the model of its own columns, without transformations"
        raise unsaid(f"field {told.get('name')!r}", "It is worked out in a way that a tree here has not", remedy)
    for name, _, fill in terms:
        place = add(name)
        if fill is not None:
            old = features[place]
            features[place] = FeatureSchema(old.name, old.kind, old.levels, fill)
    return FeatureSchema(told.get("name"), "numeric", terms=tuple((name, weight) for name, weight, _ in terms))


def _terms(what: Element) -> list[tuple[str, float, float | None]] | None:
    """(field, weight, what stands in for a missing one) of a sum of products; None for anything else."""
    if what.tag != "Apply" or len(what) != 2:
        return None
    if what.get("function") == "+":
        first, second = _terms(what[0]), _terms(what[1])
        return None if first is None or second is None else first + second
    weight, reference = what
    if what.get("function") != "*" or weight.tag != "Constant" or reference.tag != "FieldRef":
        return None
    fill = reference.get("mapMissingTo")
    return [(reference.get("field"), float(weight.text), None if fill is None else float(fill))]


def _type(told: Mapping, derived: Mapping, name: str) -> str:
    """The bits in which a field is compared."""
    part = derived.get(name, told.get(name))
    return "float" if part.get("dataType") == "float" else "double"


def _answers(model: Element, target: Element | None) -> tuple[str, ...]:
    """The classes, in the order of the target's values, then as leaves name them."""
    listed = [] if target is None else [part.get("value") for part in target.iterfind("Value")]
    named = [part.get("value") for part in model.iter("ScoreDistribution")]
    scores = [part.get("score") for part in model.iter("Node") if part.get("score") is not None]
    tables = [part.get("targetCategory") for part in model.iter("RegressionTable") if part.get("targetCategory")]
    trees_count = not tables
    return tuple(dict.fromkeys([*listed, *tables, *((*named, *scores) if trees_count else ())]))


# one tree


def _single(model: Element, document: Document, table: Table | None) -> Tree:
    _check_target_is_plain(model)
    tree = _tree(model, document, document.schema, document.answers)
    made = counted(tree, table)
    if table is None or table.target is None:
        return made
    # beside a table a node at which PMML gives no answer has one, so that it can be pruned there
    has_one = ~made.is_leaf & ((made.weight > 0) | ~np.isnan(made.outputs).any(axis=1))
    return replace(made, answer=np.where((made.answer < 0) & has_one, np.arange(made.n_nodes), made.answer))


def _check_target_is_plain(model: Element) -> None:
    for part in model.iterfind("Targets/Target"):
        if any(
            part.get(name) not in (None, "")
            for name in ("rescaleFactor", "rescaleConstant", "castInteger", "min", "max")
        ):
            raise unsaid("Targets", "What the tree says is changed behind it", "Save the model without Targets")


def _tree(model: Element, document: Document, schema: Schema, answers: tuple[str, ...]) -> Tree:
    """The tree of a TreeModel, without rows counted."""
    strategy, otherwise = model.get("missingValueStrategy", "none"), model.get("noTrueChildStrategy", NO_TRUE_NULL)
    if strategy not in STRATEGIES:
        what = f"Where a value is missing it answers by {strategy}"
        raise unsaid("missingValueStrategy", what, f"Known are {', '.join(STRATEGIES)}")
    root = model.find("Node")
    nodes = [part for part in root.iter("Node")]
    if len(nodes) > MOST_NODES:
        raise unsaid("nodes", f"It has more than {MOST_NODES:,}", "Save a smaller tree")
    number = {id(part): i for i, part in enumerate(nodes)}
    shapes = [_shape(part, number, document, strategy, otherwise) for part in nodes]
    if _predicate(_test(root), document) is not True:
        raise unsaid("nodes", "The root itself asks for something", "Save the tree from its root on")
    return Emitted(schema, shapes, [_output(part, answers) for part in nodes], _covers(nodes)).tree()


NO_TRUE_NULL = "returnNullPrediction"
STRATEGIES = ("none", "lastPrediction", "nullPrediction", "defaultChild")


def _shape(node: Element, number: Mapping, document: Document, strategy: str, otherwise: str) -> Shape:
    """What is decided at a node, and which of its outcomes are children."""
    children = [part for part in node if part.tag == "Node"]
    if any(part.tag in ("Regression", "DecisionTree") for part in node):
        raise unsaid("nodes", "A node holds another model", "Save a tree whose leaves are answers")
    if not children:
        return Shape(STAY)
    ids = {part.get("id"): number[id(part)] for part in children}
    unknown = {"none": None, "lastPrediction": STAY, "nullPrediction": NULL}.get(strategy)
    if strategy == "defaultChild":
        default = node.get("defaultChild")
        unknown = NULL if default is None else ids[default]
    rules = [(_predicate(_test(part), document), number[id(part)]) for part in children]
    rules.append((True, NULL if otherwise == NO_TRUE_NULL else STAY))
    features = document.schema.features
    n_levels = {f: len(features[f].levels) for p, _ in rules for f in features_of(p)}
    thought = Thought(n_levels, lambda f: features[f].kind == "ordinal", unknown)
    return Shape(thought.decide(tuple(rules)))


def _test(node: Element) -> Element:
    return next(part for part in node if part.tag in PREDICATES)


PREDICATES = ("True", "False", "SimplePredicate", "SimpleSetPredicate", "CompoundPredicate")


def _predicate(told: Element, document: Document) -> Predicate:
    if told.tag in ("True", "False"):
        return told.tag == "True"
    if told.tag == "CompoundPredicate":
        parts = tuple(_predicate(part, document) for part in told if part.tag in PREDICATES)
        kind = told.get("booleanOperator")
        if kind not in ("and", "or", "xor", "surrogate") or not parts:
            raise ValueError("a predicate joins others in no known way")
        return (
            (kind, parts)
            if any(isinstance(part, tuple) for part in parts)
            else Thought({}, bool, None).given((kind, parts), -1, None)
        )
    f = document.place[told.get("field")]
    if told.tag == "SimpleSetPredicate":
        values = frozenset(_value(f, text, document) for text in _array(told))
        return "among", f, values, told.get("booleanOperator") == "isIn"
    operator = told.get("operator")
    if operator in ("isMissing", "isNotMissing"):
        return "is missing", f, operator == "isMissing"
    if operator not in ("equal", "notEqual") and document.schema.features[f].kind == "nominal":
        raise unsaid(
            f"field {told.get('field')!r}", "Values without an order are compared by size", "Save it as ordinal"
        )
    if operator not in ("equal", "notEqual", "lessThan", "lessOrEqual", "greaterThan", "greaterOrEqual"):
        raise ValueError("a predicate compares in no known way")
    return "compare", f, operator, _value(f, told.attrib["value"], document)


def _value(f: int, text: str, document: Document) -> float:
    """A number, or a level's index."""
    if f in document.texts:
        return document.texts[f][text]
    value = float(text)
    value = float(np.float32(value)) if document.schema.precision == "float32" else value
    if not np.isfinite(value):
        raise ValueError("a limit is no number")
    return value


def _output(node: Element, answers: tuple[str, ...]) -> np.ndarray | None:
    """Shares of classes, or one number; None where the node has no answer."""
    score = node.get("score")
    if not answers:
        return None if score is None else np.array([float(score)])
    told = node.findall("ScoreDistribution")
    if score is None:
        return None
    k = answers.index(score)
    if not told:
        return np.eye(len(answers))[k]
    shares = np.zeros(len(answers))
    by = "probability" if all(part.get("probability") is not None for part in told) else "recordCount"
    for part in told:
        shares[answers.index(part.get("value"))] += float(part.get(by))
    total = shares.sum()
    if not total > 0 or (shares < 0).any():
        return np.eye(len(answers))[k]
    if by == "recordCount" or abs(total - 1) > ONE:
        shares = shares / total
    return shares_that_answer(shares, k, score)


def _covers(nodes: list[Element]) -> np.ndarray | None:
    result = [part.get("recordCount") for part in nodes]
    return None if None in result else np.array(result, float)


# many trees


def _many(model: Element, document: Document, table: Table | None) -> Tree | Ensemble:
    segments = model.find("Segmentation")
    method = segments.get("multipleModelMethod")
    if method == "modelChain":
        return _chain(segments, document, table)
    _check_target_is_plain(model) if method not in SUMS else None
    parts, weights = _segments(segments)
    made_by = f"PMML, {method} of trees"
    if method in SUMS and not document.answers:
        start, factor = _rescaled(model)
        trees = tuple(_summand(part, document, table) for part in parts)
        return SummedTrees(
            table, trees, weights if method == "weightedSum" else np.ones(len(trees)),
            adds_to=np.zeros(len(trees), int), starts=np.array([start]), factor=factor, made_by=made_by,
        )  # fmt: skip
    if method not in VOTES or (not document.answers and not VOTES[method]):
        raise unsaid("multipleModelMethod", f"Its trees answer together by {method}", f"Known are {', '.join(VOTES)}")
    weights = weights if method.startswith("weighted") else np.ones(len(parts))
    trees = tuple(_single(part, document, table) for part in parts)
    return Averaged(table, trees, weights, by_shares=VOTES[method], names=document.schema.classes, made_by=made_by)


def _segments(segments: Element) -> tuple[list[Element], np.ndarray]:
    parts = []
    for segment in segments.iterfind("Segment"):
        if segment.find("True") is None:
            raise unsaid(
                "Segment", "A tree answers for some of the rows alone", "Save a model whose trees answer for all"
            )
        tree = segment.find("TreeModel")
        if tree is None:
            raise unsaid("Segment", "It holds another model than a tree", "Save a model of trees alone")
        parts.append(tree)
    weights = np.array([float(part.get("weight", 1)) for part in segments.iterfind("Segment")])
    if not len(parts) or not np.isfinite(weights).all() or (weights < 0).any() or not weights.sum() > 0:
        raise ValueError("there are no trees, or their weights are none")
    return parts, weights


def _summand(model: Element, document: Document, table: Table | None) -> Tree:
    _check_target_is_plain(model)
    schema = Schema(document.schema.features, document.schema.target, (), document.schema.precision)
    tree = _tree(model, document, schema, ())
    if (tree.answer[tree.is_leaf] < 0).any():
        raise unsaid("nodes", "A leaf of a sum adds no number", "Save the model again where it was made")
    return counted_outputs(tree, table)


def _rescaled(model: Element) -> tuple[float, float]:
    """(what is added to the sum before, the factor of it): y = factor * (start + sum)."""
    target = model.find("Targets/Target")
    if target is None:
        return 0.0, 1.0
    if any(target.get(name) not in (None, "") for name in ("castInteger", "min", "max")):
        raise unsaid("Targets", "What the trees say is changed behind them", "Save the model without Targets")
    factor, constant = float(target.get("rescaleFactor", 1)), float(target.get("rescaleConstant", 0))
    if factor == 0 or not np.isfinite([factor, constant]).all():
        raise ValueError("a sum is rescaled by no number")
    return constant / factor, factor


def _chain(segments: Element, document: Document, table: Table | None) -> Ensemble:
    """Sums of trees, and behind them a regression that makes probabilities, as boosted trees are written."""
    *sums, last = [next(part for part in segment if part.tag.endswith("Model")) for segment in segments]
    if last.tag != "RegressionModel" or not sums or any(part.tag != "MiningModel" for part in sums):
        raise unsaid(
            "modelChain", "Its models are not sums of trees with a regression behind", "Save boosted trees alone"
        )
    link = last.get("normalizationMethod", "none")
    outputs = {field.get("name"): i for i, part in enumerate(sums) for field in part.iterfind("Output/OutputField")}
    trees, adds_to, starts, factors = [], [], [], set()
    for i, part in enumerate(sums):
        inner = part.find("Segmentation")
        if inner is None or inner.get("multipleModelMethod") != "sum":
            raise unsaid("modelChain", "A model in it is no sum of trees", "Save boosted trees alone")
        start, factor = _rescaled(part)
        factors.add(factor)
        models, _ = _segments(inner)
        trees += [_summand(model, document, table) for model in models]
        adds_to += [i] * len(models)
        starts.append(start)
    if len(factors) > 1:
        raise unsaid("Targets", "Sums of trees are multiplied by different numbers", "Save boosted trees of one rate")
    factor = factors.pop()
    tables = last.findall("RegressionTable")
    order = [_score(part, outputs) for part in tables]
    of_one = link == "logit" and len(sums) == 1 and len(tables) == 2 and document.answers
    if of_one:  # the class with the predictor, and the one without
        k = next(i for i, (place, _) in enumerate(order) if place is not None)
        names = [part.get("targetCategory") for part in tables]
        wanted = (names[1 - k], names[k])
        starts = [starts[0] + order[k][1] / factor]
        flipped = wanted != document.answers
        labels = document.schema.classes[::-1] if flipped else document.schema.classes
        return SummedTrees(
            table, tuple(trees), np.ones(len(trees)), names=labels, adds_to=np.array(adds_to), starts=np.array(starts),
            link="logistic", factor=factor, made_by="PMML, boosted trees",
        )  # fmt: skip
    if (
        link == "softmax"
        and [place for place, _ in order] == list(range(len(sums)))
        and len(sums) == len(document.answers)
    ):
        starts = [start + constant / factor for start, (_, constant) in zip(starts, order, strict=True)]
        return SummedTrees(
            table, tuple(trees), np.ones(len(trees)), names=document.schema.classes, adds_to=np.array(adds_to),
            starts=np.array(starts), link="softmax", factor=factor, made_by="PMML, boosted trees",
        )  # fmt: skip
    raise unsaid("modelChain", f"What the sums mean by {link} is not known here", "Known are logit of two, and softmax")


def _score(table: Element, outputs: Mapping[str, int]) -> tuple[int | None, float]:
    """(the sum that a class is told by, None for none; what is added to it)."""
    predictors = table.findall("NumericPredictor")
    if not predictors:
        return None, float(table.get("intercept", 0))
    if len(predictors) > 1 or float(predictors[0].get("coefficient", 1)) != 1:
        raise unsaid("RegressionTable", "A class is told by several sums", "Save boosted trees alone")
    return outputs[predictors[0].get("name")], float(table.get("intercept", 0))


MODELS = {"TreeModel": _single, "MiningModel": _many}
