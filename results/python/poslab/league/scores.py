# SPDX-License-Identifier: Apache-2.0
"""What each trained network of a run scores, on what it was trained on and beyond.

A score is 0 for guessing and 1 for the best possible, (x - chance) / (best - chance), and 0 below chance, too. `trained`
is its mean over the sizes up to the largest trained one, `beyond` over the larger ones. A size that a scheme refuses counts
0. A network that has not learnt what it was trained on counts 0 beyond, whatever it says there: a control, too, since it is
compared. One that diverged counts 0.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

from poslab.run_file import Run
from poslab.table import axes_of

TAUGHT = 0.9  # share of the tokens from which a task that can be solved counts as learnt
SIZES = {"length-generalisation": "size", "language-model": "multiple"}
NETWORK = ["task", "variant", "scheme", "repeat", "state", "training"]
MEASURED = ["trained", "beyond", "taught", "solved", "solved_beyond", "rate"]
NOTHING_LEARNT = {"trained": 0.0, "beyond": 0.0, "taught": False, "solved": False, "solved_beyond": False}


def trains(run: Run) -> bool:
    """Whether it has trained networks."""
    return bool((run.index.experiment.isin(list(SIZES)) & (run.index.status == "ok")).any())


def is_league(run: Run) -> bool:
    """Whether it has trained networks of several schemes with several seeds."""
    trained = run.index[run.index.experiment.isin(list(SIZES)) & (run.index.status == "ok")]
    return trained.variant.nunique() > 1 and bool((trained.groupby(["experiment", "variant"]).repeat.nunique() > 1).any())


def scores_of(run: Run) -> pd.DataFrame:
    """A row for each network that was to be trained: task, variant, scheme, repeat, state (ok, diverged, skipped, failed ...),
    how it was trained (seed and axes, as JSON), its scores `trained` and `beyond`, whether it was `taught`, whether it `solved` what it was trained on and what lies beyond
    (0.9 of the tokens right), the learning rate of its training, and the seconds that the cell took.
    """
    parts = [_of_experiment(run, experiment) for experiment in run.experiments if experiment in SIZES]
    columns = [*NETWORK, *MEASURED, "seconds"]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)


def _of_experiment(run: Run, experiment: str) -> pd.DataFrame:
    table = run.rows(experiment)
    with run._dataset(experiment) as group:
        curves = group[[name for name in ("accuracy", "loss", "chance") if name in group]].load()
    seconds = np.ravel(run.provenance.get("seconds", np.full(len(run.index), np.nan)))
    seeds = run.index.seed.to_numpy()
    axes = [name for name in axes_of(table) if name not in ("scheme", "variant", "repeat")]
    rows = []
    for i, task in enumerate(_tasks_of(table)):
        cell = table.isel(cell=i)
        row = {"task": task, "variant": str(cell.variant.item()), "scheme": str(cell.scheme.item()), "repeat": int(cell.repeat),
               "state": _state_of(cell), "training": _training_of(cell, axes, seeds[int(cell.cell)]), "seconds": float(seconds[int(cell.cell)])}
        if row["state"] == "ok":
            row |= _measured(cell, curves.isel(cell=i), experiment)
        elif row["state"] == "diverged":
            row |= NOTHING_LEARNT
        rows.append(row)
    return _over_the_best(pd.DataFrame(rows, columns=[*NETWORK, *MEASURED, "seconds", "nats_to_the_best"]))


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


def _training_of(cell: xr.Dataset, axes: list[str], seed: int) -> str:
    return json.dumps({"seed": int(seed)} | {name: str(cell[name].item()) for name in axes})


def _state_of(cell: xr.Dataset) -> str:
    status = str(cell.status.item())
    return "diverged" if status == "failed" and "training diverged" in str(cell.message.item()) else status


def _measured(cell: xr.Dataset, curves: xr.Dataset, experiment: str) -> dict[str, Any]:
    sizes = np.array(json.loads(str(cell[f"{SIZES[experiment]}_list"].item())), float)
    curves = curves.sel({SIZES[experiment]: sizes})
    within = sizes <= (float(cell.largest) if experiment == "length-generalisation" else 1)
    rate = {"rate": float(cell.chosen_rate) if "chosen_rate" in cell else float(cell.learning_rate)}
    best = float(cell.get("best_accuracy", np.nan))
    if best >= TAUGHT:
        chance = curves.chance.to_numpy() if "chance" in curves else float(cell.chance_accuracy)
        accuracy = np.nan_to_num(curves.accuracy.to_numpy())  # of a refused size, whose chance is none either
        taught = _mean(accuracy[within]) >= TAUGHT
        return rate | _scores(np.nan_to_num(np.maximum((accuracy - chance) / (best - chance), 0)), within, taught) | {
            "solved": taught, "solved_beyond": taught and _mean(accuracy[~within]) >= TAUGHT}
    # A text, or a source that cannot be guessed so well: nats below chance, over those of the best.
    below = np.nan_to_num(float(cell.chance_loss) - curves.loss.to_numpy())
    taught = _mean(below[within]) > 0
    return rate | _scores(np.maximum(below, 0), within, taught) | {
        "nats_to_the_best": float(cell.chance_loss) - float(cell.get("best_loss", np.nan))}


def _scores(score: NDArray[np.float64], within: NDArray[np.bool_], taught: bool) -> dict[str, Any]:
    return {"trained": _mean(score[within]), "beyond": _mean(score[~within]) * taught, "taught": taught}


def _mean(values: NDArray[np.float64]) -> float:
    return float(values.mean()) if len(values) else np.nan


def _over_the_best(scores: pd.DataFrame) -> pd.DataFrame:
    """Nats below chance over those of the best possible guess, or, where that is not known, of the variant whose mean loss
    is lowest at the trained length.
    """
    for task, rows in scores[scores.solved.isna() & scores.trained.notna()].groupby("task"):
        known = rows.nats_to_the_best.dropna()
        best = known.iloc[0] if len(known) else rows.groupby("variant").trained.mean().max()
        for name in ("trained", "beyond"):
            scores.loc[rows.index, name] = rows[name] / best if best > 0 else 0.0
    return scores
