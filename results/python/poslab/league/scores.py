# SPDX-License-Identifier: Apache-2.0
"""What each trained network of a run has learnt, on what it was trained on and beyond.

A score is 0 for guessing and 1 for the best possible, (x - chance) / (best - chance): `trained` the mean over the sizes
from the smallest to the largest trained one, `beyond` over the larger ones, and 0 where that mean is below chance. A size that a scheme refuses
counts 0. A network that has not learnt what it was trained on counts 0 beyond, whatever it says there: a control, too, since
it is compared; `measured_beyond` is what it says. One that diverged counts 0. Where a task's chance is not known it is taken as
0.

Texts, and sources that cannot be guessed so well, have nats below chance in place of scores, and what they are to be divided by
in `nats_to_the_best`, where it is known; `nats_of_the_best` says by what they are divided, and `over_the_best` divides.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

from poslab.run_file import RunFile
from poslab.table import axes_of

TAUGHT = 0.9  # share of the tokens from which a task that can be solved counts as learnt
STILL_LEARNING = 0.01  # of its loss, lost in the last fifth of the steps, as in answers
SIZES = {"length-generalisation": "size", "language-model": "multiple"}
READS = {"text": "text", "masked-text": "text", "instances": "instances"}  # of a task, the file that it is given by --data
CURVES = ("accuracy", "loss", "chance", "unordered", "tried_loss", "held_out_loss", "refused")
KINDS = ("trained", "beyond")  # what was trained on, and what lies beyond
NETWORK = ["task", "variant", "scheme", "repeat", "state", "training"]
MEASURED = [*KINDS, "measured_beyond", "taught", "solved", "solved_beyond", "rate", "rate_is_at_an_edge", "without_order", "without_order_beyond",
            "still_learning", "chance_is_known", "in_nats", "nats_to_the_best"]


def trains(run: RunFile) -> bool:
    """Whether it has trained networks."""
    return bool((run.index.experiment.isin(list(SIZES)) & (run.index.status == "ok")).any())


def is_league(run: RunFile) -> bool:
    """Whether it has trained networks of several schemes with several seeds."""
    trained = run.index[run.index.experiment.isin(list(SIZES)) & (run.index.status == "ok")]
    return trained.variant.nunique() > 1 and bool((trained.groupby(["experiment", "variant"]).repeat.nunique() > 1).any())


def scores_of(run: RunFile) -> pd.DataFrame:
    """A row for each network that was to be trained: task (`copy, language-model` where length-generalisation has it, too), variant,
    scheme, repeat, state (ok, diverged, skipped, failed ...), how it was trained (seed, axes and the file that its task reads, as JSON), `trained`,
    `beyond` and `measured_beyond` (NaN where no larger size was asked, and `trained` where no trained one was), whether it was
    `taught` (0.9 of the tokens right within the trained sizes; of a text a loss below chance), whether it `solved` what it was
    trained on and what lies beyond (0.9 of the tokens right; NaN of texts), the learning rate of its training and whether none
    lower or none higher was tried, the score of the best guess `without_order` (NaN where it is not known), whether the held-out
    loss fell by more than 1 % in the last fifth of the steps, and the seconds that the cell took.
    """
    parts = {experiment: _of_experiment(run, experiment) for experiment in run.experiments if experiment in SIZES}
    if len(parts) > 1:
        texts, tasks = parts["language-model"], set(parts["length-generalisation"].task)
        texts["task"] = [f"{task}, language-model" if task in tasks else task for task in texts.task]
    columns = [*NETWORK, *MEASURED, "seconds"]
    return pd.concat(parts.values(), ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)


def nats_of_the_best(scores: pd.DataFrame, variants: Collection[str], seeds: Collection[int]) -> dict[str, float]:
    """By how much the best possible guess of each task in nats is below chance, or, where that is not known, the one of these
    variants whose mean loss with these seeds is lowest at the trained length; a network that diverged has learnt 0 nats.
    """
    found = {}
    for task in scores.task[scores.in_nats == True].unique():  # noqa: E712  # NaN is neither
        rows = scores[scores.task == task]
        known = rows.nats_to_the_best.astype(float).dropna()
        compared = rows[rows.variant.isin(variants) & rows.repeat.isin(seeds)]
        compared = rows if compared.empty else compared
        means = compared.trained.astype(float).groupby(compared.variant).mean()
        found[str(task)] = float(known.iloc[0] if len(known) else means.max())  # NaN: none was asked at the trained length
    return found


def over_the_best(scores: pd.DataFrame, nats: Mapping[str, float]) -> pd.DataFrame:
    """Nats below chance over those of the best, by task; whoever is beside those of whom it is the best may be above 1, and
    changes nobody's score.
    """
    scores = scores.copy()
    for task, best in nats.items():
        mine = scores.task == task
        for kind in (*KINDS, "measured_beyond"):
            scores.loc[mine, kind] = 0.0 if best <= 0 else scores.loc[mine, kind] / best
        scores.loc[mine, ["solved", "solved_beyond"]] = np.nan
    return scores


Cell = Mapping[str, Any]  # its columns and scalar measures by name
Curves = Mapping[str, NDArray[np.float64]]  # of one cell, by name, and their coordinates


def _of_experiment(run: RunFile, experiment: str) -> pd.DataFrame:
    table = run.rows(experiment)
    with run._dataset(experiment) as group:
        curves = group[[name for name in CURVES if name in group]].load()
    seconds = np.ravel(run.provenance.get("seconds", np.full(len(run.index), np.nan)))
    seeds = run.index.seed.to_numpy()
    axes = [name for name in axes_of(table) if name not in ("scheme", "variant", "repeat")]
    files = run.files
    columns = {str(name): table[name].to_numpy().tolist() for name in (*table.coords, *table.data_vars)}
    along = {str(name): curves[name].to_numpy() for name in curves.dims if name != "cell"}
    lines = {str(name): curves[name].to_numpy() for name in curves.data_vars}
    rows = []
    for i, task in enumerate(_tasks_of(table)):
        cell = {name: values[i] for name, values in columns.items()}
        row = {"task": task, "variant": cell["variant"], "scheme": cell["scheme"], "repeat": cell["repeat"], "state": _state_of(cell),
               "training": _training_of(cell, axes, seeds[cell["cell"]], files), "seconds": float(seconds[cell["cell"]])}
        if row["state"] == "ok":
            row |= _measured(cell, along | {name: line[i] for name, line in lines.items()}, experiment)
        elif row["state"] == "diverged":
            row |= _nothing_learnt(cell, experiment)
        rows.append(row)
    return pd.DataFrame(rows, columns=[*NETWORK, *MEASURED, "seconds"])


def _tasks_of(table: xr.Dataset) -> list[str]:
    """The task of each cell, with what varies within it besides schemes and seeds."""
    axes = [name for name in axes_of(table) if name not in ("scheme", "variant", "task", "repeat")]
    task = table.task.to_numpy().astype(str)
    named = np.array(task, dtype=object)
    for one in np.unique(task):
        cells = task == one
        for name in axes:
            values = [str(value) for value in table[name].to_numpy()[cells]]
            if len(set(values)) > 1:
                named[cells] = [f"{known}, {name}={value}" for known, value in zip(named[cells], values)]
    return [str(name) for name in named]


def _training_of(cell: Cell, axes: list[str], seed: int, files: Mapping[str, str]) -> str:
    read = READS.get(cell["task"], "")
    return json.dumps({"seed": int(seed)} | {name: str(cell[name]) for name in axes} | ({f"file {read}": files[read][:8]} if read in files else {}))


def _state_of(cell: Cell) -> str:
    status = str(cell["status"])
    return "diverged" if status == "failed" and "training diverged" in cell["message"] else status


def sizes_of(cell: Cell, experiment: str) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The sizes that were asked, and which of them lie within those that were trained on; those below lie nowhere."""
    sizes = np.array(json.loads(cell[f"{SIZES[experiment]}_list"]), float)
    if experiment != "length-generalisation":
        return sizes, sizes <= 1
    sizes = sizes[sizes >= cell["smallest"]]
    return sizes, sizes <= cell["largest"]


def _measured(cell: Cell, curves: Curves, experiment: str) -> dict[str, Any]:
    sizes, within = sizes_of(cell, experiment)
    training = _search_of(cell, curves) | {"still_learning": _still_learning(curves)}
    at = np.array([int(np.flatnonzero(curves[SIZES[experiment]] == size)[0]) for size in sizes])
    if "refused" in curves:  # NaN: the task, or its file, has no instance of this size
        exists = ~np.isnan(curves["refused"][at])
        sizes, within, at = sizes[exists], within[exists], at[exists]
    best = cell.get("best_accuracy", np.nan)
    if best >= TAUGHT:
        accuracy = curves["accuracy"][at]
        chance = curves["chance"][at] if "chance" in curves else np.full(len(sizes), cell["chance_accuracy"])
        is_known = bool(np.isfinite(chance[np.isfinite(accuracy)]).all())
        chance = np.nan_to_num(chance)
        right = np.nan_to_num(accuracy)  # of a refused size
        taught = _mean(right[within]) >= TAUGHT
        score = np.where(np.isfinite(accuracy), (right - chance) / (best - chance), 0)
        guess = (curves["unordered"][at] - chance) / (best - chance) if "unordered" in curves else np.full(len(sizes), np.nan)
        return training | _scores(score, within, taught) | {
            "without_order": _mean(guess[within]), "without_order_beyond": _mean(guess[~within]),
            "solved": taught, "solved_beyond": taught and _mean(right[~within]) >= TAUGHT, "chance_is_known": is_known, "in_nats": False}
    loss = curves["loss"][at]
    below = np.where(np.isfinite(loss), cell["chance_loss"] - loss, 0)
    return training | _scores(below, within, _mean(below[within]) > 0) | {
        "chance_is_known": True, "in_nats": True, "nats_to_the_best": cell["chance_loss"] - cell.get("best_loss", np.nan)}


def _search_of(cell: Cell, curves: Curves) -> dict[str, Any]:
    """The learning rate, and whether it is the lowest or the highest of several that were tried."""
    if "chosen_rate" not in cell:
        return {"rate": cell["learning_rate"], "rate_is_at_an_edge": False}
    rate = cell["chosen_rate"]
    tried = curves["tried_rate"][~np.isnan(curves["tried_loss"])] if "tried_loss" in curves else np.array([])
    return {"rate": rate, "rate_is_at_an_edge": len(tried) > 1 and not tried.min() < rate < tried.max()}


def _still_learning(curves: Curves) -> Any:
    """NaN where too little of the curve is known."""
    if "held_out_loss" not in curves:
        return np.nan
    known = ~np.isnan(curves["held_out_loss"])
    steps, values = curves["held_out_step"][known], curves["held_out_loss"][known]
    before = values[steps <= 0.8 * steps[-1]] if len(steps) else values
    return bool(before[-1] - values[-1] > STILL_LEARNING * before[-1]) if len(before) else np.nan


def _nothing_learnt(cell: Cell, experiment: str) -> dict[str, Any]:
    _, within = sizes_of(cell, experiment)
    none = np.nan if within.all() else 0.0
    trained = 0.0 if within.any() else np.nan
    return {"trained": trained, "beyond": none, "measured_beyond": none, "taught": False, "solved": False, "solved_beyond": False}


def _scores(score: NDArray[np.float64], within: NDArray[np.bool_], taught: bool) -> dict[str, Any]:
    """Below chance in the mean is 0: of each size it would make guessing better than it is."""
    trained, beyond = (max(_mean(score[part]), 0.0) if part.any() else np.nan for part in (within, ~within))
    return {"trained": trained, "beyond": beyond * taught, "measured_beyond": beyond, "taught": taught}


def _mean(values: NDArray[np.float64]) -> float:
    return float(values.mean()) if len(values) else np.nan
