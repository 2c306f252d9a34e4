#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The pictures of the studies that train, each named like its study, from their results: into the working directory, where
none is replaced, or the folder named. `experiments/studies` as folder renews the committed ones.

    /usr/bin/python3 experiments/studies/training_pictures.py results/runs/length-generalisation.h5
    /usr/bin/python3 experiments/studies/training_pictures.py results/runs/language-model.h5
    /usr/bin/python3 experiments/studies/training_pictures.py results/runs/previous-token.h5
"""

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "results/python"))
import matplotlib  # noqa: E402

matplotlib.use("Agg")
import numpy as np  # noqa: E402
import poslab  # noqa: E402
from poslab import pictures  # noqa: E402

BOUND = {"color": "black", "linewidth": 0.8, "linestyle": ":"}


def length_generalisation(run: poslab.Run, look: pictures.Looks) -> Any:
    experiment = "length-generalisation"
    tasks = list(dict.fromkeys(run.rows(experiment).task.to_numpy().tolist()))
    axes = np.atleast_1d(pictures.panels(*tasks))
    for panel, task in zip(axes, tasks):
        rows = run.rows(experiment, task=task)
        smallest, largest = rows.smallest.min().item(), rows.largest.max().item()
        sizes = look.draw(panel, run, experiment, "accuracy", task=task)
        look.draw_once(panel, run, experiment, "chance", BOUND | {"label": "chance"}, task=task)
        panel.axvline(largest, color="0.7", linewidth=0.8)
        panel.set(xlabel=f"size (trained on {smallest} to {largest})", ylabel="share of tokens that are right", ylim=(0, 1.03),
                  xticks=range(0, int(max(sizes)) + 1, 2))
    return axes


def by_position(run: poslab.Run, look: pictures.Looks, title: str, measure: str, label: str, points: int | None = None) -> Any:
    axes = np.atleast_1d(pictures.panels(title, width=5.6))
    trained = run.rows("language-model").train_length.max().item()
    look.draw(axes[0], run, "language-model", measure, points=points)
    axes[0].axvline(trained - 0.5, color="0.7", linewidth=0.8)
    axes[0].set(xlabel=f"position (trained on {trained})", ylabel=label)
    return axes


def language_model(run: poslab.Run, look: pictures.Looks) -> Any:
    return by_position(run, look, "characters of a text", "loss_by_position", "loss, nats", points=32)


def previous_token(run: poslab.Run, look: pictures.Looks) -> Any:
    axes = by_position(run, look, "the token before, one layer", "accuracy_by_position", "share that is right")
    look.draw_once(axes[0], run, "language-model", "unordered_by_position", BOUND | {"label": "bound without order"})
    axes[0].set_ylim(0, 1.03)
    return axes


def main(results: str, folder: str | None = None) -> None:
    study = Path(results).stem
    pictures.use_paper_style()
    run = poslab.open(results)
    look = pictures.Looks(run)
    axes = globals()[study.replace("-", "_")](run, look)
    look.legend(*axes)
    pictures.save(axes[0].figure, f"{study}.png", folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
