# SPDX-License-Identifier: Apache-2.0
"""What each trained network of a run has learnt, on what it was trained on and beyond.

A score is 0 for guessing and 1 for the best possible, (x - chance) / (best - chance): `trained` the mean over the sizes up to
the largest trained one, `beyond` over the larger ones, and 0 where that mean is below chance. A size that a scheme refuses
counts 0. A network that has not learnt what it was trained on counts 0 beyond, whatever it says there: a control, too, since
it is compared; `measured_beyond` is what it says. One that diverged counts 0. Where a task's chance is not known it is taken as
0.

Texts, and sources that cannot be guessed so well, have nats below chance in place of scores, and what they are to be divided by
in `nats_to_the_best`, where it is known; `over_the_best` divides.
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
STILL_LEARNING = 0.01  # of its loss, lost in the last fifth of the steps, as in answers
SIZES = {"length-generalisation": "size", "language-model": "multiple"}
CURVES = ("accuracy", "loss", "chance", "unordered", "tried_loss", "held_out_loss")
KINDS = ("trained", "beyond")  # what was trained on, and what lies beyond
NETWORK = ["task", "variant", "scheme", "repeat", "state", "training"]
MEASURED = [*KINDS, "measured_beyond", "taught", "solved", "solved_beyond", "rate", "rate_is_at_an_edge", "without_order", "without_order_beyond",
            "still_learning", "chance_is_known", "in_nats", "nats_to_the_best"]


def trains(run: Run) -> bool:
    """Whether it has trained networks."""
    return bool((run.index.experiment.isin(list(SIZES)) & (run.index.status == "ok")).any())


def is_league(run: Run) -> bool:
    """Whether it has trained networks of several schemes with several seeds."""
    trained = run.index[run.index.experiment.isin(list(SIZES)) & (run.index.status == "ok")]
    return trained.variant.nunique() > 1 and bool((trained.groupby(["experiment", "variant"]).repeat.nunique() > 1).any())


def scores_of(run: Run) -> pd.DataFrame:
    """A row for each network that was to be trained: task, variant, scheme, repeat, state (ok, diverged, skipped, failed ...),
    how it was trained (seed and axes, as JSON), `trained`, `beyond` and `measured_beyond` (NaN where no larger size was asked),
    whether it was `taught` (0.9 of the tokens right within the trained sizes; of a text a loss below chance), whether it `solved`
    what it was trained on and what lies beyond (0.9 of the tokens right; NaN of texts), the learning rate of its training and
    whether none lower or none higher was tried, the score of the best guess `without_order` (NaN where it is not known), whether
    the held-out loss fell by more than 1 % in the last fifth of the steps, and the seconds that the cell took.
    """
    parts = [_of_experiment(run, experiment) for experiment in run.experiments if experiment in SIZES]
    columns = [*NETWORK, *MEASURED, "seconds"]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)


def over_the_best(scores: pd.DataFrame, reference: pd.DataFrame) -> pd.DataFrame:
    """Nats below chance over those of the best possible guess, or, where that is not known, of the variant of `reference`
    whose mean loss is lowest at the trained length; whoever is beside `reference` may be above 1, and changes nobody's score.
    """
    scores = scores.copy()
    for task, rows in reference[reference.in_nats == True].groupby("task"):  # noqa: E712  # NaN is neither
        known = rows.nats_to_the_best.dropna()
        best = known.iloc[0] if len(known) else rows.groupby("variant").trained.mean().max()
        mine = scores.task == task
        for kind in (*KINDS, "measured_beyond"):
            scores.loc[mine, kind] = scores.loc[mine, kind] / best if best > 0 else 0.0
        scores.loc[mine, ["solved", "solved_beyond"]] = np.nan
    return scores


def _of_experiment(run: Run, experiment: str) -> pd.DataFrame:
    table = run.rows(experiment)
    with run._dataset(experiment) as group:
        curves = group[[name for name in CURVES if name in group]].load()
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


def _training_of(cell: xr.Dataset, axes: list[str], seed: int) -> str:
    return json.dumps({"seed": int(seed)} | {name: str(cell[name].item()) for name in axes})


def _state_of(cell: xr.Dataset) -> str:
    status = str(cell.status.item())
    return "diverged" if status == "failed" and "training diverged" in str(cell.message.item()) else status


def _sizes_of(cell: xr.Dataset, experiment: str) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The sizes that were asked, and which of them lie within those that were trained on."""
    sizes = np.array(json.loads(str(cell[f"{SIZES[experiment]}_list"].item())), float)
    return sizes, sizes <= (float(cell.largest) if experiment == "length-generalisation" else 1)


def _measured(cell: xr.Dataset, curves: xr.Dataset, experiment: str) -> dict[str, Any]:
    sizes, within = _sizes_of(cell, experiment)
    training = _search_of(cell, curves) | {"still_learning": _still_learning(curves)}
    curves = curves.sel({SIZES[experiment]: sizes})
    best = float(cell.get("best_accuracy", np.nan))
    if best >= TAUGHT:
        accuracy = curves.accuracy.to_numpy()
        chance = curves.chance.to_numpy() if "chance" in curves else np.full(len(sizes), float(cell.chance_accuracy))
        is_known = bool(np.isfinite(chance[np.isfinite(accuracy)]).all())
        chance = np.nan_to_num(chance)
        right = np.nan_to_num(accuracy)  # of a refused size
        taught = _mean(right[within]) >= TAUGHT
        score = np.where(np.isfinite(accuracy), (right - chance) / (best - chance), 0)
        guess = (curves.unordered.to_numpy() - chance) / (best - chance) if "unordered" in curves else np.full(len(sizes), np.nan)
        return training | _scores(score, within, taught) | {
            "without_order": _mean(guess[within]), "without_order_beyond": _mean(guess[~within]),
            "solved": taught, "solved_beyond": taught and _mean(right[~within]) >= TAUGHT, "chance_is_known": is_known, "in_nats": False}
    loss = curves.loss.to_numpy()
    below = np.where(np.isfinite(loss), float(cell.chance_loss) - loss, 0)
    return training | _scores(below, within, _mean(below[within]) > 0) | {
        "chance_is_known": True, "in_nats": True, "nats_to_the_best": float(cell.chance_loss) - float(cell.get("best_loss", np.nan))}


def _search_of(cell: xr.Dataset, curves: xr.Dataset) -> dict[str, Any]:
    """The learning rate, and whether it is the lowest or the highest of several that were tried."""
    if "chosen_rate" not in cell:
        return {"rate": float(cell.learning_rate), "rate_is_at_an_edge": False}
    rate = float(cell.chosen_rate)
    tried = curves.tried_rate.to_numpy()[~np.isnan(curves.tried_loss.to_numpy())] if "tried_loss" in curves else np.array([])
    return {"rate": rate, "rate_is_at_an_edge": len(tried) > 1 and not tried.min() < rate < tried.max()}


def _still_learning(curves: xr.Dataset) -> Any:
    """NaN where too little of the curve is known."""
    if "held_out_loss" not in curves:
        return np.nan
    losses = curves.held_out_loss.dropna("held_out_step")
    steps, values = losses.held_out_step.to_numpy(), losses.to_numpy()
    before = values[steps <= 0.8 * steps[-1]] if len(steps) else values
    return bool(before[-1] - values[-1] > STILL_LEARNING * before[-1]) if len(before) else np.nan


def _nothing_learnt(cell: xr.Dataset, experiment: str) -> dict[str, Any]:
    _, within = _sizes_of(cell, experiment)
    none = np.nan if within.all() else 0.0
    return {"trained": 0.0, "beyond": none, "measured_beyond": none, "taught": False, "solved": False, "solved_beyond": False}


def _scores(score: NDArray[np.float64], within: NDArray[np.bool_], taught: bool) -> dict[str, Any]:
    """Below chance in the mean is 0: of each size it would make guessing better than it is."""
    trained, beyond = (max(_mean(score[part]), 0.0) if part.any() else np.nan for part in (within, ~within))
    return {"trained": trained, "beyond": beyond * taught, "measured_beyond": beyond, "taught": taught}


def _mean(values: NDArray[np.float64]) -> float:
    return float(values.mean()) if len(values) else np.nan
