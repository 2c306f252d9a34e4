# SPDX-License-Identifier: Apache-2.0
"""Whether the order of schemes holds where the same ones were trained otherwise: for longer, wider, from another seed."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

from poslab.league.league import League
from poslab.league.scores import is_league
from poslab.league.statistics import ALPHA, kendall_tau
from poslab.run_file import RunFile


ASKED = {"held_out", "keep_weights", "size_list", "multiple_list", "shift_list"}  # axes that say what is measured, not how it was trained
SIZES = {"size_list", "multiple_list"}


class Order:
    """Two leagues, of the variants that both compare, and of the tasks that both asked at the same sizes and trained otherwise.

    here, there: these, alone. Scores of texts are by the best of `there`, in both.
    differs: what they were trained with, axis -> its values here and there.
    only_here, only_there: variants that the other one has not, or does not compare.
    """

    def __init__(self, here: League, there: League) -> None:
        trained = {task: (here.training_of(task), there.training_of(task)) for task in here.tasks if task in there.tasks}
        differing = {task: _differing(*axes) for task, axes in trained.items()}
        tasks = [task for task, names in differing.items() if names - ASKED and not names & SIZES]
        variants = [name for name in here.variants if name in there.variants]
        self.only_here = [name for name in here.variants if name not in variants]
        self.only_there = [name for name in there.variants if name not in variants]
        self.here, self.there = here.among(variants, tasks), there.among(variants, tasks)
        self.differs: dict[str, tuple[list[str], list[str]]] = {}
        for task in tasks:
            for name in sorted(differing[task] - ASKED):
                for values, axes in zip(self.differs.setdefault(name, ([], [])), trained[task]):
                    if axes[name] not in values:
                        values.append(axes[name])

    def tau(self, kind: str) -> float:
        """How alike the orders of mean scores are: 1 the same one, 0 unrelated, -1 the other way round; NaN where one has none."""
        return kendall_tau(*([league.mean(name, kind) for name in self.here.variants] for league in (self.here, self.there)))

    def told_apart(self, kind: str) -> list[tuple[str, str]]:
        """Pairs of variants whose difference there is more than chance, the better one first: p < 0.05 for each pair alone."""
        pairs = [(a, b) if self.there.mean(a, kind) >= self.there.mean(b, kind) else (b, a) for a, b in combinations(self.there.variants, 2)]
        return [(better, worse) for better, worse in pairs if self.there.p_value(better, worse, kind) < ALPHA]

    def turned(self, kind: str) -> list[tuple[str, str]]:
        """Those of them that stand the other way round here, or are alike."""
        return [(better, worse) for better, worse in self.told_apart(kind) if self.here.mean(better, kind) <= self.here.mean(worse, kind)]

    def surely_turned(self, kind: str) -> list[tuple[str, str]]:
        """Those of these whose difference here is more than chance, too."""
        return [(better, worse) for better, worse in self.turned(kind) if self.here.p_value(worse, better, kind) < ALPHA]

    def scores(self, kind: str) -> pd.DataFrame:
        """Mean scores: a row for each variant, by the order there; two columns for each task, `(task, "there")` and `(task, "here")`."""
        columns = {(task, where): league.by_task(kind)[task] for task in self.here.tasks
                   for where, league in (("there", self.there), ("here", self.here))}
        return pd.DataFrame(columns).loc[self.there.table(kind).index]


def order_beside(run: RunFile, beside: RunFile | None) -> Order | None:
    """Where both are leagues that have variants and tasks in common, and trained them otherwise; else nothing."""
    if beside is None or not (is_league(run) and is_league(beside)):
        return None
    there = League(beside)
    order = Order(League(run, best_of=there), there)
    return order if len(order.here.variants) > 1 and order.here.tasks else None


def _differing(mine: dict[str, str], others: dict[str, str]) -> set[str]:
    """Axes that both have, with other values."""
    return {name for name, value in mine.items() if others.get(name, value) != value}
