"""Experiments: is your tree's recipe better than another one, or was it luck?"""

from pages.shared import experiment_results, experiments, guard
from pages.shared.bench import shell

guard.enter()


def beside() -> None:
    """Which recipes on which folds; their scores; and what tests make of the differences."""
    experiments.choose()
    tried = experiments.tried()
    if tried is not None:
        experiment_results.scores(tried)
        experiment_results.two(tried)
        experiment_results.many(tried)


shell.show("experiments", beside, wide=628)
