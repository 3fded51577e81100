"""What a question is asked about on the page Experiments: rows, recipe and tree in force, and what was chosen."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import treecore as tc
from pages.shared.experiments import recipes
from pages.shared.session import state
from pages.shared.trees import nested, work
from pages.shared.trees.plan import in_force
from treecore.judging.measures import Measure
from treecore.recipe import Recipe
from treecore.study.questions.question import Setting, Setup


class SessionSetup(Setup):
    """key : what the answer at hand is kept under; other results that follow from it are kept beside it."""

    def __init__(self, key: tuple = ()):
        self.key = key

    def chosen(self, setting: Setting) -> Any:
        return state.choice(setting.choice)

    def cached(self, *name, make: Callable[[], Any]) -> Any:
        return work.cached_cut(*name, self.key, make=make)

    @property
    def table(self) -> tc.Table:
        return work.table()

    @cached_property
    def recipe(self) -> Recipe:
        """Without steps by hand, which are not repeated."""
        plan = in_force()
        return Recipe((state.record().split, plan.prepare, plan.grow, plan.prune))

    @property
    def rows_as_read(self) -> Mapping[str, tc.Table]:
        return work.unprepared_roles()

    @property
    def roles(self) -> Mapping[str, tc.Table]:
        return work.roles()

    @property
    def parts(self) -> Mapping[str, tc.Table]:
        return work.parts()

    @property
    def judged_rows(self) -> tc.Table:
        return recipes.judged_rows()

    @property
    def grown(self) -> tc.Tree:
        return work.grown()

    @property
    def tree(self) -> tc.Tree:
        return work.pruned()

    @property
    def measure(self) -> Measure:
        return recipes.measure()

    @property
    def recipes(self) -> Mapping[str, Recipe]:
        return recipes.made(recipes.asked())

    @property
    def judged_by(self) -> str:
        return nested.measure()

    @property
    def risk(self) -> str:
        return nested.risk()

    @property
    def class_names(self) -> Mapping[str, str]:
        return work.name_of_class()

    @property
    def sample(self) -> str:
        return state.choice("sample") or ""
