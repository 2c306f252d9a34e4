# SPDX-License-Identifier: Apache-2.0
"""Which schemes learn what, and what they keep: every variant over all tasks and seeds of a run."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from functools import cached_property, partial
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from poslab.league.same_networks import same_networks
from poslab.league.scores import KINDS, SIZES, nats_of_the_best, over_the_best, scores_of
from poslab.league.statistics import Scores, groups, holm, interquartile_mean, interval, of_all_pairs, sign_flip
from poslab.run_file import RunFile
from poslab.texts import printable

REFERENCES = ("none", "rope")  # schemes from which all others' differences are given


class League:
    """The league of a run, or of a run and another beside it, whose variants join.

    scores: a row for each network, see `poslab.league.scores`; `of` names the run that it is from.
    tasks: those that were asked at trained sizes and at larger ones; `other_tasks` were not, and are not compared.
    seeds: those with which most networks of the run are compared; of others' further seeds nothing is used.
    variants: those that are compared: with these seeds of every task, each trained or diverged.
    left_out: variant -> why it is not among them.
    of_unknown_chance: tasks whose chance is taken as 0; `of_known_best`: of those in nats, where the best possible guess is known.
    nats: task in nats -> by how much the best possible guess, or the best variant, is below chance: a score of 1.
    further: axes that only the run beside has, since a later build made it, with their values.
    """

    def __init__(self, run: RunFile, beside: RunFile | None = None, seed: int = 0, best_of: League | None = None) -> None:
        """`seed`: of bootstrap and sign flips; `best_of`: the league whose best scheme is 1 on texts, if not this one."""
        self._seed = seed
        parts = [scores_of(run).assign(of=run.title)]
        if beside is not None:
            parts.append(scores_of(beside).assign(of=beside.title if beside.title != run.title else "another run"))
        self._runs = {str(part.of.iloc[0]): one for part, one in zip(parts, (run, beside)) if one is not None and len(part)}
        first, all_parts = parts[0], list(parts)
        others_of = [part[~part.variant.isin(set(first.variant))] for part in parts[1:]]
        parts[1:] = [part[part.task.isin(first.task)] for part in others_of]
        strangers = {name for part in others_of for name in part.variant} - {name for part in parts for name in part.variant}
        self.scores = pd.concat(parts, ignore_index=True)
        asked = first[first.beyond.notna() & first.trained.notna()]
        asked_beyond = {task for task, rows in first.groupby("task") if (asked.task[asked.state == "ok"] == task).any()
                        or ((asked.task == task).any() and not (rows.state == "ok").any())}
        all_tasks = list(dict.fromkeys(first.task))
        self.tasks: list[str] = [task for task in all_tasks if task in asked_beyond]
        self.other_tasks: list[str] = [task for task in all_tasks if task not in asked_beyond]
        self.of_unknown_chance: list[str] = [task for task in self.tasks if (first[first.task == task].chance_is_known == False).any()]  # noqa: E712
        self.of_known_best: list[str] = [task for task in self.tasks if first[first.task == task].nats_to_the_best.notna().any()]
        self._trainings = {task: json.loads(rows.training.iloc[0]) for task, rows in first.groupby("task")}
        self.further: dict[str, list[str]] = self._further(parts[1:])
        good = self.scores[self.scores.state.isin(["ok", "diverged"]) & self.scores.task.isin(self.tasks)]
        names = list(dict.fromkeys(self.scores.variant))
        others = {name: self._trained_otherwise(self.scores[self.scores.variant == name]) for name in names}
        seeds_of = {name: frozenset() if others[name] else self._complete_seeds(good[good.variant == name]) for name in names}
        of_the_run = [seeds_of[name] for name in dict.fromkeys(first.variant)]
        self.seeds: list[int] = sorted(max(_intersections(of_the_run), key=lambda seeds: (
            len(seeds) * sum(seeds <= have for have in of_the_run), len(seeds), [-seed for seed in sorted(seeds)]), default=()))
        self.left_out: dict[str, str] = {name: "it has none of these tasks" for name in sorted(strangers)}
        for part in all_parts[1:]:
            self.left_out |= {f"{name} of {part.of.iloc[0]}": "the run has one of this name" for name in _others_of_the_same_name(first, part)}
        for name in names:
            if why := others[name] or self._what_is_missing(self.scores[self.scores.variant == name], seeds_of[name]):
                self.left_out[name] = why
        self.variants: list[str] = [name for name in names if name not in self.left_out]
        self.nats: dict[str, float] = nats_of_the_best(first, self.variants, self.seeds) | (best_of.nats if best_of else {})
        self.scores = over_the_best(self.scores, self.nats)
        good = self.scores.loc[good.index]
        self._compared = good[good.variant.isin(self.variants) & good.repeat.isin(self.seeds)].sort_values("repeat")

    def _complete_seeds(self, rows: pd.DataFrame) -> frozenset[int]:
        """Those of which every task has a score."""
        of_task = [set(rows.repeat[rows.task == task]) for task in self.tasks]
        return frozenset(set.intersection(*of_task)) if of_task else frozenset()

    def _further(self, others: list[pd.DataFrame]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for row in (row for part in others for row in part.itertuples()):
            for name, value in json.loads(row.training).items():
                if name not in self._trainings[row.task] and value not in found.setdefault(name, []):
                    found[name].append(value)
        return found

    def _trained_otherwise(self, rows: pd.DataFrame) -> str:
        for row in rows[rows.task.isin(self.tasks)].itertuples():
            for name, expected in self._trainings[row.task].items():
                if (found := json.loads(row.training).get(name)) != expected:
                    return f"its {row.task} is another: {name} is {found}, where the others have {expected}"
        return ""

    def _what_is_missing(self, rows: pd.DataFrame, seeds: frozenset[int]) -> str:
        if not self.tasks:
            return "no task was asked at trained sizes and at larger ones"
        if self.seeds and seeds >= set(self.seeds):
            return ""
        good = rows[rows.state.isin(["ok", "diverged"])]
        missing = [f"{task} ({count} of {len(self.seeds)} seeds)" for task in self.tasks
                   if (count := len(set(good.repeat[good.task == task]) & set(self.seeds))) < len(self.seeds)]
        return f"no score of every seed for {', '.join(missing) or 'any task'}"

    def run_of(self, variant: str) -> str:
        """The name of the run that it is from."""
        return str(self.scores.of[self.scores.variant == variant].iloc[0])

    def is_beside(self, variant: str) -> bool:
        """Whether it is from the run beside."""
        return self.run_of(variant) != str(self.scores.of.iloc[0])

    @property
    def builds(self) -> dict[str, list[str]]:
        """By what the variants that are compared were trained, commits and versions of the experiments that train -> their names."""
        builds: dict[str, list[str]] = {}
        for variant in self.variants:
            builds.setdefault(self._runs[self.run_of(variant)].build_of(variant, SIZES), []).append(variant)
        return builds

    @property
    def searches(self) -> set[int]:
        """How many searches chose the learning rate of a task, of those where one was searched; empty if none was."""
        trainings = [self.training_of(task) for task in self.tasks]
        return {int(training.get("search_seeds", 1)) for training in trainings if "," in training.get("rate_factors_list", "")}

    @cached_property
    def duplicates(self) -> dict[str, str]:
        """Variant -> the one before it in its run whose networks it has, bit for bit: the two are one scheme here, and count twice."""
        found: dict[str, str] = {}
        for name, run in self._runs.items():
            found |= {variant: first for variant, first in same_networks(run).items()
                      if {variant, first} <= set(self.variants) and self.run_of(variant) == self.run_of(first) == name}
        return found

    def named(self, variant: str) -> str:
        """`cape (= sinusoidal)` where another variant's networks are its own."""
        return f"{variant} (= {self.duplicates[variant]})" if variant in self.duplicates else variant

    def form_of(self, variant: str) -> str:
        """`fope 1.0: form = authors, padding = one`: the scheme with its version, and its parameters that are one of several
        words, as it was trained; empty where it has none.
        """
        run = self._runs[self.run_of(variant)]
        scheme, parameters = run.scheme_of(variant, SIZES)
        words = [f"{name} = {value}" for name, value in parameters.items() if isinstance(value, str)]
        return f"{scheme}: {', '.join(words)}" if words else ""

    def among(self, variants: Sequence[str], tasks: Sequence[str]) -> League:
        """The same, of these alone; nothing else is compared, nor left out."""
        part = copy.copy(self)
        for computed in ("_cube", "_tables", "_adjusted", "duplicates"):
            part.__dict__.pop(computed, None)
        part.variants, part.tasks, part.left_out, part.other_tasks = list(variants), list(tasks), {}, []
        part._compared = self._compared[self._compared.variant.isin(part.variants) & self._compared.task.isin(part.tasks)]
        return part

    def training_of(self, task: str) -> dict[str, str]:
        """The seed, the axes and the file of its trainings."""
        return {name: str(value) for name, value in self._trainings[task].items()}

    def of(self, variant: str, kind: str) -> Scores:
        """The scores of each task's seeds, in the order of `tasks` and `seeds`."""
        return [self._cube[kind][variant][task] for task in self.tasks]

    @cached_property
    def _cube(self) -> dict[str, dict[str, dict[str, NDArray[np.float64]]]]:
        return {kind: {variant: {task: of_task[kind].to_numpy(float) for task, of_task in of_variant.groupby("task")}
                       for variant, of_variant in self._compared.groupby("variant")} for kind in KINDS}

    def networks(self, variant: str, task: str) -> pd.DataFrame:
        """Their rows of `scores`, by seed."""
        return self._compared[(self._compared.variant == variant) & (self._compared.task == task)]

    def differences(self, variant: str, reference: str, kind: str) -> NDArray[np.float64]:
        """The score less the reference's, of each pair of the same task and seed."""
        return np.concatenate(self.of(variant, kind)) - np.concatenate(self.of(reference, kind))

    def p_value(self, variant: str, reference: str, kind: str) -> float:
        """p of the hypothesis that their differences might as well be the other way round, given their learning rates; not
        corrected."""
        return sign_flip(self.differences(variant, reference, kind), self._seed)

    def mean(self, variant: str, kind: str) -> float:
        """Over all tasks and seeds alike: what tests compare."""
        return float(np.concatenate(self.of(variant, kind)).mean())

    def pairs(self, kind: str) -> pd.DataFrame:
        """The p-value of every two variants, by mean down and across, corrected for all of them by Holm's method."""
        names = list(self.table(kind).index)
        return pd.DataFrame([[self._adjusted[kind].get((a, b), np.nan) for b in names] for a in names], index=names, columns=names)

    def groups(self, kind: str) -> list[list[str]]:
        """Variants that cannot be told apart from the best of their group, by means. Those of two groups may well be alike:
        `pairs` says which."""
        return groups({name: self.mean(name, kind) for name in self.variants}, self._adjusted[kind])

    @cached_property
    def _adjusted(self) -> dict[str, dict[tuple[str, str], float]]:
        return {kind: of_all_pairs(self.variants, partial(self.p_value, kind=kind)) for kind in KINDS}

    @property
    def unused_seeds(self) -> list[int]:
        """Seeds of the variants that are compared which not all of them have of every task."""
        mine = self.scores[self.scores.variant.isin(self.variants) & self.scores.task.isin(self.tasks) & self.scores.state.isin(["ok", "diverged"])]
        return sorted(set(mine.repeat) - set(self.seeds))

    def tasks_of(self, variant: str) -> pd.DataFrame:
        """A row for each task: mean scores `trained` and `beyond`, the shares that `solved` it and `solved_beyond` (NaN of texts),
        and the learning `rate`.
        """
        mine = self._compared[self._compared.variant == variant]
        columns = ["trained", "beyond", "solved", "solved_beyond", "rate"]
        return mine[["task", *columns]].astype(dict.fromkeys(columns, float)).groupby("task").mean().loc[self.tasks]

    def table(self, kind: str) -> pd.DataFrame:
        """A row for each variant, by mean: mean, interquartile mean with its interval, group, what was `measured`
        (beyond, of networks that have not learnt their task, too), the share of networks that solve, how many have not learnt
        their task, how many diverged and how many learnt still, the `seconds` of one network (the median of a task's, over
        tasks), and for each reference the mean difference with its p-value, corrected over all variants, and how many pairs differ
        at all.
        """
        return self._tables[kind].copy()

    @cached_property
    def _tables(self) -> dict[str, pd.DataFrame]:
        return {kind: self._table(kind) for kind in KINDS}

    def _table(self, kind: str) -> pd.DataFrame:
        if not self.variants:
            raise ValueError(printable("no variant can be compared: " + ("; ".join(f"{name}: {why}" for name, why in self.left_out.items())
                                                                         or "this run trains no networks")))
        number = {name: rank for rank, group in enumerate(self.groups(kind), 1) for name in group}
        rows = pd.DataFrame({"group": number}).rename_axis("variant")
        rows["mean"] = [self.mean(name, kind) for name in rows.index]
        rows["score"] = [interquartile_mean(self.of(name, kind)) for name in rows.index]
        rows[["low", "high"]] = [interval(self.of(name, kind), self._seed) for name in rows.index]
        mine = self._compared
        rows["measured"] = mine["measured_beyond" if kind == "beyond" else kind].astype(float).groupby(mine.variant).mean()
        solved = mine["solved" if kind == "trained" else "solved_beyond"].astype(float)
        diverged = mine.state == "diverged"
        rows["solved"] = solved.groupby(mine.variant).mean()
        rows["untaught"] = ((mine.taught == False) & ~diverged).groupby(mine.variant).sum()  # noqa: E712  # NaN is neither
        rows["diverged"] = diverged.groupby(mine.variant).sum()
        rows["still_learning"] = (mine.still_learning == True).groupby(mine.variant).sum()  # noqa: E712  # NaN is neither
        rows["seconds"] = mine.groupby(["variant", "task"]).seconds.median().groupby("variant").mean()
        for reference in (name for name in REFERENCES if name in rows.index):
            others = [name for name in rows.index if name != reference]
            rows.loc[others, f"over {reference}"] = [self.differences(name, reference, kind).mean() for name in others]
            rows.loc[others, f"p over {reference}"] = holm([self.p_value(name, reference, kind) for name in others])
            rows.loc[others, f"differing from {reference}"] = [np.count_nonzero(self.differences(name, reference, kind)) for name in others]
        return rows.sort_values("mean", ascending=False, kind="stable")

    def by_task(self, kind: str) -> pd.DataFrame:
        """Mean scores: a row for each variant, a column for each task."""
        order = self.table(kind).index
        return self._compared.pivot_table(index="variant", columns="task", values=kind, aggfunc="mean", sort=False).loc[order, self.tasks]

    def without_order(self, kind: str) -> pd.Series:
        """The score of the best guess without any order, of each task; NaN where it is not known."""
        column = "without_order" if kind == "trained" else "without_order_beyond"
        return self._compared.groupby("task")[column].first().astype(float).reindex(self.tasks)

    def taught(self) -> pd.DataFrame:
        """How many networks have learnt what they were trained on: a row for each variant, a column for each task."""
        counts = (self._compared.taught == True).groupby([self._compared.variant, self._compared.task]).sum()  # noqa: E712
        return counts.unstack("task")[self.tasks]

    def rates(self) -> pd.DataFrame:
        """The learning rate that each variant was trained with: a row for each, a column for each task."""
        return self._of_each("rate").astype(float)

    def rates_at_an_edge(self) -> pd.DataFrame:
        """Whether no lower rate, or no higher one, was tried: a row for each variant, a column for each task."""
        return self._of_each("rate_is_at_an_edge") == True  # noqa: E712  # unknown is no edge

    def _of_each(self, column: str) -> pd.DataFrame:
        found = self.scores.pivot_table(index="variant", columns="task", values=column, aggfunc="first", sort=False)
        return found.reindex(index=[name for name in dict.fromkeys(self.scores.variant) if name in found.index], columns=self.tasks)


def _others_of_the_same_name(first: pd.DataFrame, others: pd.DataFrame) -> list[str]:
    """Variants of `others` that the first run has, too, and whose networks are not those of the first."""
    numbers = ["task", "repeat", "training", "trained", "measured_beyond"]
    found = []
    for name in dict.fromkeys(others.variant[others.variant.isin(set(first.variant))]):
        both = [part[part.variant == name][numbers].sort_values(["task", "repeat"], ignore_index=True) for part in (first, others)]
        if not both[0].equals(both[1]):
            found.append(str(name))
    return found


def _intersections(sets: Sequence[frozenset[int]]) -> set[frozenset[int]]:
    """These, and what any of them have in common."""
    found = set(sets)
    while more := {a & b for a, b in combinations(found, 2)} - found:
        found |= more
    return found
