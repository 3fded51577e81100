"""The words of decision trees, as the lecture notes and the pages use them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class GlossaryEntry:
    """A word. also : what other texts call it. said : what it means, in a sentence or two."""

    name: str
    said: str
    also: tuple[str, ...] = ()

    def fits(self, wanted: str) -> bool:
        """Has it these letters, in its name, its other names or its meaning?"""
        return wanted.casefold() in " ".join((self.name, *self.also, self.said)).casefold()


GLOSSARY = tuple(
    GlossaryEntry(name, said, tuple(also))
    for name, said, *also in (
        ("alpha", "What one leaf more has to save in errors to be kept, in cost-complexity pruning; see weakest link.",
         "α", "complexity parameter", "cp"),
        ("attribute", "A column that the tree may ask for: the same as a feature.", "feature", "variable"),
        ("bagging", "Many trees, each grown on a bootstrap sample of the rows; they answer together."),
        ("baseline", "What always the commonest class, or the mean, would reach: a tree has to do better."),
        ("binary split", "A split with two branches. A split with more can be made of several binary ones."),
        ("bootstrap sample", "As many rows as there are, drawn with replacement: some come twice, some not at all."),
        ("branch", "One of the ways on from a node; in the notes also a link or an edge.", "link", "edge"),
        ("branching factor", "How many branches a node has: 2 in a binary tree.", "B"),
        ("class", "One of the values of a target of words; the tree answers with a class.", "category", "label"),
        ("confusion matrix", "A table of how many rows of each true class got which answer."),
        ("cross-validation", "The rows are dealt into folds; each fold is judged by a tree grown on the others."),
        ("decision boundary", "Where the answer changes between two regions of the feature space."),
        ("decision tree", "Questions about features, one at each node, that lead a row to a leaf, which answers."),
        ("depth", "How many questions the longest way from the root to a leaf asks."),
        ("distinct", "Of branches: no value belongs to two of them, so that a row has one way at most.",
         "non-overlapping", "mutually exclusive"),
        ("entropy", "Mean number of bits to tell the class of a row: − Σ p log₂ p. 0 in a pure node.", "information"),
        ("exhaustive", "Of branches: every value belongs to one of them, so that each row has a way."),
        ("feature", "A column that the tree may ask for.", "attribute", "variable", "predictor"),
        ("fold", "One part of the rows in cross-validation."),
        ("gain", "How much a split lowers the impurity: that of the node less that of its branches by their shares.",
         "information gain", "impurity decrease"),
        ("gain ratio", "The gain over the split information, so that features of many levels are not preferred."),
        ("Gini index", "The chance that two rows, drawn from a node with replacement, differ in class: 1 − Σ p².",
         "Gini impurity"),
        ("greedy", "Each split is the best at its node, without a look at what comes below it."),
        ("horizon effect", "Stopping early misses good splits that stand below a poor one, as with XOR."),
        ("identifier", "A column with another value in each row: it parts all rows and tells nothing of new ones."),
        ("impurity", "How mixed the classes of a node are, by entropy, Gini or the share of errors; of numbers, how "
         "far they spread."),
        ("inner node", "A node that asks a question.", "internal node", "decision node"),
        ("leaf", "A node without branches: it answers.", "terminal node"),
        ("level", "A value of a column of words.", "value", "category"),
        ("metric", "A distance that is 0 only between equals, never negative, the same both ways, and no longer than a "
         "detour."),
        ("missing value", "A cell that holds nothing, or a word such as NA for that.", "unknown value"),
        ("monothetic", "Of a tree: each node asks for one feature; its borders run along the axes.", "axis-parallel"),
        ("multiway split", "A split with a branch for each level, or each bin.", "k-ary split"),
        ("nominal", "Of a feature: its levels have no order.", "categorical"),
        ("node", "A place in the tree, with the rows that come to it."),
        ("oblique split", "A split that asks for a weighted sum of features; its boundary is slanted.", "polythetic",
         "multivariate split"),
        ("ordinal", "Of a feature: its levels have an order, as small, medium, large."),
        ("over-fitting", "The tree has learned the chance of its training rows: it is better on them than on others."),
        ("path", "The nodes from the root to a leaf; with AND between its questions it is a rule."),
        ("pre-pruning", "Growing stops before a node is pure, by a limit or a test.", "early stopping"),
        ("pruning", "Branches that do not help on other rows are taken away from the grown tree.", "post-pruning"),
        ("pure", "Of a node: all of its rows are of one class."),
        ("recursive partitioning", "Rows are split, then those of each branch likewise, until something stops it."),
        ("reduced-error pruning", "From the lowest nodes up, a node becomes a leaf where that errs no more on "
         "validation rows."),
        ("regression tree", "A tree whose target is a number: a leaf answers with the mean of its rows."),
        ("root", "The first node; all rows come to it."),
        ("rule", "IF questions hold THEN answer: one for each path."),
        ("sealed test set", "Test rows of which nothing is told until the last decision is made; opened once."),
        ("split information", "The entropy of how a split deals out the rows, whatever their classes."),
        ("stratified", "Of a split into roles: each has the same shares of the classes."),
        ("stump", "A tree of one split.", "decision stump"),
        ("super-category", "Levels put together into one branch."),
        ("surrogate split", "A split of another feature that sends most rows the same way; it decides where the value "
         "asked for is missing."),
        ("target", "The column that is predicted.", "response", "class attribute"),
        ("test set", "Rows that judge the final tree, and nothing before it."),
        ("threshold", "The number that a question compares with: age < 30.", "cut point", "split point"),
        ("training set", "The rows that the tree is grown from."),
        ("twoing", "A criterion of two branches that prefers splits into halves with different classes."),
        ("validation set", "Rows that choose among trees, such as how far to prune."),
        ("weakest link", "The node whose branches save least per leaf: cost-complexity pruning cuts it next."),
        ("χ²", "Sum of (observed − expected)² / expected over a table of counts: large where two columns depend.",
         "chi-square"),
    )
)  # fmt: skip


def terms(wanted: str = "") -> tuple[GlossaryEntry, ...]:
    """Those that have these letters, by name; all of them for ""."""
    entries = [term for term in GLOSSARY if term.fits(wanted.strip())]
    return tuple(sorted(entries, key=lambda term: term.name.casefold()))
