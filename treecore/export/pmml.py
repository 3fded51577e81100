"""The tree as a PMML 4.4 TreeModel; its predicates say where a missing value goes, no strategy of the model does.

A TreeModel has no regression in a node that readers agree on. A tree whose leaves answer with lines is a chain: the
TreeModel says in which node a row ends, and of the regressions behind it the one of this node answers.
"""

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from treecore.data.level_index import level_index
from treecore.export.format import ExportRequest
from treecore.export.portable import UNKNOWN, Portable, PortableNode, PortableQuestion, PortableTerm, cases_of
from treecore.kernels.codes import STAYS
from treecore.tree.leaf_lines import LeafLine
from treecore.tree.schema import FeatureSchema
from treecore.tree.tree import Tree

SPACE = "http://www.dmg.org/PMML-4_4"
MOST_LEVELS_DEEP = 500
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_UNLISTED = re.compile(r'["\\]|[^\S ]')
"""What readers of arrays do not agree on: quotes, backslashes, white space other than blanks."""

Element = ElementTree.Element


def to_pmml(given: ExportRequest) -> str:
    """A model with its data dictionary, one Node per node and its score distribution."""
    tree, portable = given.tree, Portable(given.tree)
    root = Element("PMML", xmlns=SPACE, version="4.4")
    told = f".{tree.figures_told}" if tree.figures_told else ""
    header = _child(root, "Header", description=f"A decision tree for {tree.schema.target}{told}")
    _child(header, "Application", name="treecore")
    used = [tree.schema.features[f] for f in portable.used]
    _dictionary(root, tree, used)
    if tree.lines is None:
        _tree_model(root, portable, given.name, used)
    else:
        _chain(root, portable, given.name, used)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _tree_model(parent: Element, portable: Portable, name: str, used: list[FeatureSchema], end: str = "") -> None:
    """end : a field that is to say in which node a row ends, instead of an answer; "" for none."""
    by_id = bool(end)
    function = "classification" if portable.tree.classes and not by_id else "regression"
    model = _child(
        parent, "TreeModel", modelName=name, functionName=function, missingValueStrategy="none",
        noTrueChildStrategy="returnLastPrediction", splitCharacteristic="multiSplit",
    )  # fmt: skip
    _mining_schema(model, portable.tree, used, has_target=not (portable.tree.classes and by_id))
    if end:
        output = _child(model, "Output")
        _child(output, "OutputField", name=end, optype="continuous", dataType="double", feature="predictedValue")
    _sums(model, portable)
    _nodes(model, portable, by_id)


def _mining_schema(
    model: Element, tree: Tree, used: list[FeatureSchema], *fields: str, has_target: bool = True
) -> None:
    """The target, the features that a model takes, and fields of another model. has_target : a number that says the
    node is no answer to a target of classes."""
    schema = _child(model, "MiningSchema")
    if has_target:
        _child(schema, "MiningField", name=tree.schema.target, usageType="target")
    for feature in used:
        odd = "asMissing" if feature.kind == "ordinal" else "asIs"
        _child(schema, "MiningField", name=feature.name, invalidValueTreatment=odd)
    for field in fields:
        _child(schema, "MiningField", name=field)


def _chain(root: Element, portable: Portable, name: str, used: list[FeatureSchema]) -> None:
    """The tree, then the line of the node in which a row ends."""
    tree, end = portable.tree, "node"
    names = {tree.schema.target, *(feature.name for feature in tree.schema.features)}
    while end in names:
        end += "_"
    chain = _segmented(root, "modelChain", portable, name, used)
    first = _child(chain, "Segment", id="tree")
    _child(first, "True")
    _tree_model(first, portable, name, used, end)
    second = _child(chain, "Segment", id="lines")
    _child(second, "True")
    lines = _segmented(second, "selectFirst", portable, name, used, end)
    for t in range(tree.n_nodes):
        line = portable.line(t)
        if line is not None and (tree.is_leaf[t] or STAYS in (portable.at(t).missing, portable.at(t).unseen)):
            segment = _child(lines, "Segment", id=str(t))
            segment.append(_simple(end, "equal", str(t)))
            _regression(segment, tree, line, t, names)


def _segmented(
    parent: Element, method: str, portable: Portable, name: str, used: list[FeatureSchema], *fields: str
) -> Element:
    function = "classification" if portable.tree.classes else "regression"
    model = _child(parent, "MiningModel", modelName=name, functionName=function)
    _mining_schema(model, portable.tree, used, *fields)
    if portable.tree.classes and not fields:  # the whole: readers give shares of a chain where they are asked for alone
        output, taken = _child(model, "Output"), {feature.name for feature in portable.tree.schema.features}
        for name in portable.tree.classes:
            told = f"probability({name})"
            while told in taken:
                told += "_"
            taken.add(told)
            _child(
                output, "OutputField", name=told, optype="continuous", dataType="double", feature="probability",
                value=name,
            )  # fmt: skip
    return _child(model, "Segmentation", multipleModelMethod=method)


def _regression(segment: Element, tree: Tree, line: LeafLine, t: int, names: set[str]) -> None:
    """The line of a node: of each feature what counts of its value is a derived field. One of log-odds is the logit of
    the second class, and the first one has the rest."""
    of_classes = {"functionName": "classification", "normalizationMethod": "logit"}
    model = _child(segment, "RegressionModel", **(of_classes if tree.classes else {"functionName": "regression"}))
    _mining_schema(model, tree, [tree.schema.features[term.feature] for term in line.terms])
    local = _child(model, "LocalTransformations") if line.terms else model
    second = {"targetCategory": tree.classes[1]} if tree.classes else {}
    table = _child(model, "RegressionTable", intercept=repr(line.intercept), **second)
    for term in line.terms:
        feature = tree.schema.features[term.feature].name
        name = f"{feature} in node {t}"
        while name in names:
            name += "_"
        made = _child(local, "DerivedField", name=name, optype="continuous", dataType="double")
        value = Element("FieldRef", field=feature)
        within = _applied("max", _constant(term.low), _applied("min", _constant(term.high), value))
        made.append(_applied("if", _applied("isMissing", value), _constant(term.fill), within))
        _child(table, "NumericPredictor", name=name, coefficient=repr(term.coefficient))
    if tree.classes:
        _child(model, "RegressionTable", intercept="0.0", targetCategory=tree.classes[0])


def why_not_pmml(given: ExportRequest) -> str:
    """What the format or its readers cannot take."""
    tree = given.tree
    if Portable(tree).shares_rows:
        return "Rows without a value are shared among branches by weight, and PMML has no way that readers agree on"
    if tree.lines is not None and tree.loss is not None:
        return "Lines of log-odds are answered with the likelier class in PMML, whatever errors cost"
    if tree.depth > MOST_LEVELS_DEEP:
        return f"The tree is {tree.depth} levels deep; XML readers go {MOST_LEVELS_DEEP} deep"
    names = [given.name, tree.schema.target, *tree.classes]
    names += [text for feature in tree.schema.features for text in (feature.name, *feature.levels)]
    odd = next((name for name in names if _NO_XML.search(name)), None)
    return "" if odd is None else f"{odd!r} holds a character that XML cannot hold"


def _child(parent: Element, tag: str, **attributes: str) -> Element:
    return ElementTree.SubElement(parent, tag, attributes)


def _dictionary(root: Element, tree: Tree, used: list[FeatureSchema]) -> None:
    fields = _child(root, "DataDictionary", numberOfFields=str(len(used) + 1))
    for feature in used:
        spelled = [] if feature.by_number else _spelled(feature.levels, feature.levels)
        made = _field(fields, feature.name, feature.kind, spelled)
        if spelled and "" not in feature.levels:
            _child(made, "Value", value="", property="missing")
    _field(fields, tree.schema.target, "nominal", tree.classes)


def _spelled(levels: Sequence[str], all_levels: tuple[str, ...]) -> list[str]:
    """Every text that these of a feature's levels have as text, as a number or as a truth: readers compare texts."""
    index = level_index(all_levels)
    return [text for level in levels for text in index.spellings(index.place(level))]


def _field(fields: Element, name: str, kind: str, levels: Sequence[str]) -> Element:
    """A field with levels, or a number without."""
    optype = "continuous" if not levels else "ordinal" if kind == "ordinal" else "categorical"
    made = _child(fields, "DataField", name=name, optype=optype, dataType="string" if levels else "double")
    for level in levels:
        _child(made, "Value", value=level)
    return made


def _sums(model: Element, portable: Portable) -> None:
    """A derived field for each weighted sum that is asked for; it is missing where a term is."""
    features = portable.tree.schema.features
    asked = sorted({q.feature for node in portable.nodes for q in node.questions if features[q.feature].terms})
    local = _child(model, "LocalTransformations") if asked else model
    for f in asked:
        made = _child(local, "DerivedField", name=features[f].name, optype="continuous", dataType="double")
        total, *others = [_product(features[term.feature].name, term) for term in portable.terms(f)]
        for product in others:
            total = _applied("+", total, product)
        made.append(total)


def _product(name: str, term: PortableTerm) -> Element:
    field = Element("FieldRef", field=name)
    if term.fill is not None:
        field.set("mapMissingTo", repr(term.fill))
    return _applied("*", _constant(term.weight), field)


def _constant(number: float) -> Element:
    made = Element("Constant", dataType="double")
    made.text = repr(number)
    return made


def _applied(function: str, *parts: Element) -> Element:
    made = Element("Apply", function=function)
    made.extend(parts)
    return made


def _nodes(model: Element, portable: Portable, by_id: bool) -> None:
    """by_id : nodes answer with their ids."""
    tree = portable.tree
    made = {0: _node(model, tree, 0, by_id)}
    _child(made[0], "True")
    if not by_id:
        _distribution(made[0], tree, 0)
    for t in range(tree.n_nodes):  # parents come before their children
        node = portable.at(t)
        otherwise = cases_of(portable, node)[1] if node.questions else STAYS
        # the first child whose predicate holds is taken: the branch of all other rows comes last
        for branch in sorted(range(len(node.children)), key=lambda branch: branch == otherwise):
            child = node.children[branch]
            made[child] = _node(made[t], tree, child, by_id)
            told = Element("True") if branch == otherwise else _any([*_ways(portable, node, branch)])
            made[child].append(told)
            if not by_id:
                _distribution(made[child], tree, child)


def _node(parent: Element, tree: Tree, t: int, by_id: bool) -> Element:
    node = _child(parent, "Node", id=str(t), recordCount=repr(float(tree.weight[t])))
    if by_id:
        node.set("score", repr(float(t)))
    elif tree.answer[t] >= 0:
        node.set("score", tree.classes[tree.value[t]] if tree.classes else repr(float(tree.value[t])))
    return node


def _distribution(node: Element, tree: Tree, t: int) -> None:
    if tree.answer[t] < 0:
        return
    for k, name in enumerate(tree.classes):
        count, share = tree.stats[tree.answer[t], k], tree.proba[t, k]
        _child(node, "ScoreDistribution", value=name, recordCount=repr(float(count)), probability=repr(float(share)))


# predicates; the first question that knows decides, so a later one counts where those before it do not know


def _ways(portable: Portable, node: PortableNode, branch: int):
    """The predicates of which one holds for a row that goes down this branch."""
    lost: list[Element] = []
    for question in node.questions:
        feature = portable.tree.schema.features[question.feature]
        known = _known(feature, question, branch)
        if known:
            yield _all([*lost, _any(known)])
        if question.missing != UNKNOWN and question.missing == branch:
            yield _all([*lost, _simple(feature.name, "isMissing")])
        lost.append(_unknown(feature, question))
    first = portable.tree.schema.features[node.questions[0].feature]
    if node.missing == branch and node.missing != STAYS:
        yield _all([*lost, _simple(first.name, "isMissing")])
    if node.unseen == branch and node.unseen != STAYS:
        yield _all([*lost, _simple(first.name, "isNotMissing")])


def _known(feature: FeatureSchema, question: PortableQuestion, branch: int) -> list[Element]:
    """The known values that go down a branch."""
    if question.by_number:
        return [_interval(feature.name, question, i) for i, to in enumerate(question.branches) if to == branch]
    levels = [level for level, to in question.levels if to == branch]
    return _among(feature, levels) if levels else []


def _unknown(feature: FeatureSchema, question: PortableQuestion) -> Element:
    """A row that the question cannot place."""
    name = feature.name
    result = [] if question.missing != UNKNOWN else [_simple(name, "isMissing")]
    if question.by_number:
        result += [_interval(name, question, i) for i, to in enumerate(question.branches) if to == UNKNOWN]
    else:
        levels = [level for level, _ in question.levels]
        result.append(_all(_among(feature, levels, False)) if levels else _simple(name, "isNotMissing"))
    return _any(result) if result else Element("False")


def _interval(name: str, question: PortableQuestion, place: int) -> Element:
    parts = []
    if place > 0:
        limit, closed = question.limits[place - 1]
        parts.append(_simple(name, "greaterThan" if closed else "greaterOrEqual", repr(limit)))
    if place < len(question.limits):
        limit, closed = question.limits[place]
        parts.append(_simple(name, "lessOrEqual" if closed else "lessThan", repr(limit)))
    return _all(parts) if parts else _simple(name, "isNotMissing")


def _simple(name: str, operator: str, value: str | None = None) -> Element:
    made = Element("SimplePredicate", field=name, operator=operator)
    if value is not None:
        made.set("value", value)
    return made


def _among(feature: FeatureSchema, levels: list[str], within: bool = True) -> list[Element]:
    """Predicates of which one holds for the values that are such levels, or all for those that are none of them.

    Within an array, JPMML takes a backslash and a quote for a quote, PMML4S for the end of the text, and neither two
    backslashes for one: such texts are compared one by one, as attributes, which everybody reads alike.
    """
    spelled = _spelled(levels, feature.levels)
    plain = [text for text in spelled if text and not _UNLISTED.search(text)]
    odd = [text for text in spelled if not text or _UNLISTED.search(text)]
    result = []
    if plain:
        operator = "isIn" if within else "isNotIn"
        result.append(Element("SimpleSetPredicate", field=feature.name, booleanOperator=operator))
        array = _child(result[0], "Array", n=str(len(plain)), type="string")
        array.text = " ".join(f'"{text}"' for text in plain)
    operator = "equal" if within else "notEqual"
    return result + [_simple(feature.name, operator, text) for text in odd]


def _all(parts: list[Element]) -> Element:
    return _compound("and", parts)


def _any(parts: list[Element]) -> Element:
    return _compound("or", parts) if parts else Element("False")


def _compound(operator: str, parts: list[Element]) -> Element:
    """A part may stand in several compounds, so it is copied into each."""
    if len(parts) == 1:
        return parts[0]
    made = Element("CompoundPredicate", booleanOperator=operator)
    made.extend(parts)
    return made
