# SPDX-License-Identifier: Apache-2.0
"""Whether the order of schemes holds where the same ones were trained otherwise: for longer, wider, from another seed."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

from poslab.league.league import League
from poslab.league.scores import is_league
from poslab.league.statistics import ALPHA, kendall_tau
from poslab.run_file import Run


class Order:
    """Two leagues, of the variants and the tasks that both have.

    here, there: these, alone.
    differs: what they were trained with, axis -> its values here and there, of whichever tasks differ in it.
    """

    def __init__(self, here: League, there: League) -> None:
        tasks = [task for task in here.tasks if task in there.tasks]
        variants = [name for name in here.variants if name in there.variants]
        self.here, self.there = here.among(variants, tasks), there.among(variants, tasks)
        self.differs = self._differs()

    def _differs(self) -> dict[str, tuple[list[str], list[str]]]:
        found: dict[str, tuple[list[str], list[str]]] = {}
        for task in self.here.tasks:
            mine, others = self.here.training_of(task), self.there.training_of(task)
            for name in (name for name, value in mine.items() if others.get(name, value) != value):
                for values, value in zip(found.setdefault(name, ([], [])), (mine[name], others[name])):
                    if value not in values:
                        values.append(value)
        return found

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


def order_beside(run: Run, beside: Run | None) -> Order | None:
    """Where both are leagues that have variants and tasks in common, and trained them otherwise; else nothing."""
    if beside is None or not (is_league(run) and is_league(beside)):
        return None
    here, there = League(run), League(beside)
    if len(set(here.variants) & set(there.variants)) < 2 or not set(here.tasks) & set(there.tasks):
        return None
    order = Order(here, there)
    return order if order.differs else None
