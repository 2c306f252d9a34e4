# SPDX-License-Identifier: Apache-2.0
"""Which schemes learn what, and what they keep: every variant over all tasks and seeds of a run."""

from __future__ import annotations

import json
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from poslab.league.scores import scores_of
from poslab.league.statistics import Scores, groups, holm, interquartile_mean, interval, sign_flip
from poslab.run_file import Run

KINDS = ("trained", "beyond")  # what was trained on, and what lies beyond
REFERENCES = ("none", "rope")  # schemes from which all others' differences are given


class League:
    """The league of a run, or of a run and another beside it, whose variants join.

    scores: a row for each network, see `poslab.league.scores`; `of` names the run that it is from.
    variants: those that are compared: with every seed of every task, each trained or diverged.
    left_out: variant -> why it is not among them.
    tasks, seeds: of the comparison.
    """

    def __init__(self, run: Run, beside: Run | None = None, seed: int = 0) -> None:
        """`seed`: of bootstrap and sign flips."""
        self._seed = seed
        parts = [scores_of(one).assign(of=one.title) for one in (run, beside) if one is not None]
        first = set(parts[0].variant)
        parts[1:] = [part[~part.variant.isin(first) & part.task.isin(parts[0].task)] for part in parts[1:]]
        self.scores = pd.concat(parts, ignore_index=True)
        self.tasks: list[str] = list(dict.fromkeys(parts[0].task))
        self._trainings = {task: json.loads(rows.training.iloc[0]) for task, rows in parts[0].groupby("task")}
        good = self.scores[self.scores.state.isin(["ok", "diverged"]) & self.scores.beyond.notna()]
        self.seeds: list[int] = sorted(set(good.repeat))
        self.left_out: dict[str, str] = {}
        for variant in dict.fromkeys(self.scores.variant):
            if why := self._why_left_out(good[good.variant == variant]):
                self.left_out[variant] = why
        self.variants: list[str] = [name for name in dict.fromkeys(self.scores.variant) if name not in self.left_out]

    def _why_left_out(self, rows: pd.DataFrame) -> str:
        for row in rows.itertuples():
            for name, expected in self._trainings[row.task].items():
                if (found := json.loads(row.training).get(name)) != expected:
                    return f"its {row.task} is another: {name} is {found}, where the others have {expected}"
        missing = [f"{task} ({count} of {len(self.seeds)} seeds)" for task in self.tasks
                   if (count := rows[rows.task == task].repeat.nunique()) < len(self.seeds)]
        return f"no score of every seed for {', '.join(missing)}" if missing else ""

    def of(self, variant: str, kind: str) -> Scores:
        """The scores of each task's seeds, in the order of `tasks` and `seeds`."""
        return [self._cube[kind][variant][task] for task in self.tasks]

    @cached_property
    def _cube(self) -> dict[str, dict[str, dict[str, NDArray[np.float64]]]]:
        rows = self.scores.sort_values("repeat")
        return {kind: {variant: {task: of_task[kind].to_numpy(float) for task, of_task in of_variant.groupby("task")}
                       for variant, of_variant in rows[rows.variant.isin(self.variants)].groupby("variant")} for kind in KINDS}

    def differences(self, variant: str, reference: str, kind: str) -> NDArray[np.float64]:
        """The score less the reference's, of each pair of the same task and seed."""
        return np.concatenate(self.of(variant, kind)) - np.concatenate(self.of(reference, kind))

    def p_value(self, variant: str, reference: str, kind: str) -> float:
        """p of the hypothesis that their differences might as well be the other way round; not corrected."""
        return sign_flip(self.differences(variant, reference, kind), self._seed)

    def groups(self, kind: str) -> list[list[str]]:
        """Variants that cannot be told apart from the best of their group."""
        return groups({name: interquartile_mean(self.of(name, kind)) for name in self.variants},
                      lambda a, b: self.p_value(a, b, kind))

    def table(self, kind: str) -> pd.DataFrame:
        """A row for each variant, by group and mean: interquartile mean with its 95 % interval, group, the share of networks
        that solve, those that learnt nothing or diverged, and for each reference the mean difference with its p-value,
        corrected over all variants.
        """
        number = {name: rank for rank, group in enumerate(self.groups(kind), 1) for name in group}
        rows = pd.DataFrame({"group": number}).rename_axis("variant")
        rows["score"] = [interquartile_mean(self.of(name, kind)) for name in rows.index]
        rows[["low", "high"]] = [interval(self.of(name, kind), self._seed) for name in rows.index]
        mine = self.scores[self.scores.variant.isin(self.variants)]
        solved = mine["solved" if kind == "trained" else "solved_beyond"].astype(float)
        rows["solved"] = solved.groupby(mine.variant).mean()
        rows["untaught"] = (mine.taught == False).groupby(mine.variant).sum()  # noqa: E712  # NaN is neither
        rows["diverged"] = (mine.state == "diverged").groupby(mine.variant).sum()
        rows["seconds"] = mine.groupby("variant").seconds.sum()
        for reference in (name for name in REFERENCES if name in rows.index):
            others = [name for name in rows.index if name != reference]
            rows.loc[others, f"over {reference}"] = [self.differences(name, reference, kind).mean() for name in others]
            rows.loc[others, f"p over {reference}"] = holm([self.p_value(name, reference, kind) for name in others])
        return rows.sort_values(["group", "score"], ascending=[True, False], kind="stable")

    def by_task(self, kind: str) -> pd.DataFrame:
        """Mean scores: a row for each variant, a column for each task."""
        means = self.scores[self.scores.variant.isin(self.variants)].pivot_table(
            index="variant", columns="task", values=kind, aggfunc="mean", sort=False)
        return means.loc[self.table(kind).index, self.tasks]

    def rates(self) -> pd.DataFrame:
        """The learning rate that each variant was trained with: a row for each, a column for each task."""
        rates = self.scores.pivot_table(index="variant", columns="task", values="rate", aggfunc="first", sort=False)
        return rates.reindex(index=[name for name in dict.fromkeys(self.scores.variant) if name in rates.index], columns=self.tasks)
