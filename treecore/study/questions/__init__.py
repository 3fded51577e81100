"""The questions of the page Experiments: page, report and docs read this registry, and a test holds each to its parts.

A question is a file here with a StudyQuestion, and a line below, at the place where the page lists it.
"""

from treecore.registry import Registry
from treecore.study.questions.answer_quality import ANSWER_QUALITY
from treecore.study.questions.bias_variance import BIAS_VARIANCE
from treecore.study.questions.effort import EFFORT
from treecore.study.questions.horizon import HORIZON
from treecore.study.questions.importances import IMPORTANCE
from treecore.study.questions.learning_curve import LEARNING_CURVE
from treecore.study.questions.many_trees import MANY_TREES
from treecore.study.questions.online_learning import ONLINE_LEARNING
from treecore.study.questions.optimal_depth import OPTIMAL_DEPTH
from treecore.study.questions.paired_comparison import OTHER_TABLES, PAIRED_COMPARISON
from treecore.study.questions.partial_dependence import PARTIAL_DEPENDENCE
from treecore.study.questions.question import StudyQuestion
from treecore.study.questions.row_sensitivity import ROW_IN_PLANE, ROW_SENSITIVITY
from treecore.study.questions.stability import STABILITY

QUESTIONS: Registry[StudyQuestion] = Registry(
    "question",
    PAIRED_COMPARISON,
    OTHER_TABLES,
    ANSWER_QUALITY,
    ROW_SENSITIVITY,
    ROW_IN_PLANE,
    BIAS_VARIANCE,
    IMPORTANCE,
    PARTIAL_DEPENDENCE,
    LEARNING_CURVE,
    ONLINE_LEARNING,
    HORIZON,
    EFFORT,
    MANY_TREES,
    OPTIMAL_DEPTH,
    STABILITY,
)
