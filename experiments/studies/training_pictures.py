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

from matplotlib.axes import Axes

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "results/python"))
import matplotlib  # noqa: E402

matplotlib.use("Agg")
import numpy as np  # noqa: E402
import poslab  # noqa: E402
from poslab import pictures  # noqa: E402


def draw(axes: Axes, run: poslab.Run, look: pictures.Looks, measure: str, experiment: str, dimension: str, label: str,
         block: int = 1, **where: Any) -> None:
    """Means over the repeats, with a band from the least to the greatest; `block` neighbours are one point."""
    for variant, curves in look.means(run, measure, experiment=experiment, **where).items():
        blocks: list[Any] = [curve.dropna(dimension).coarsen({dimension: block}, boundary="trim") for curve in curves]
        mean, low, high = (block_of.mean() for block_of in blocks)
        look.line(axes, variant, mean[dimension], mean, low, high)
    axes.set_ylabel(label)


def length_generalisation(run: poslab.Run, look: pictures.Looks) -> Any:
    axes = pictures.panels("copy", "reverse")
    for panel, task in zip(axes, ("copy", "reverse")):
        where: dict[str, Any] = {"experiment": "length-generalisation", "task": task}
        draw(panel, run, look, "accuracy", dimension="size", label="share of tokens that are right", **where)
        chance = run.curve("chance", variant=look.schemes.index[0], **where)
        chance = chance.isel(repeat=0) if "repeat" in chance.dims else chance
        panel.plot(chance["size"], chance, color="black", linewidth=0.8, linestyle=":", label="chance")
        panel.axvline(10, color="0.7", linewidth=0.8)
        panel.set(xlabel="letters (trained on 1 to 10)", ylim=(0, 1.03), xticks=range(2, 21, 2))
    axes[-1].legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return axes


def by_position(run: poslab.Run, look: pictures.Looks, title: str, measure: str, label: str, block: int = 1) -> Any:
    axes = np.atleast_1d(pictures.panels(title, width=5.6))
    draw(axes[0], run, look, measure, "language-model", "position", label, block)
    axes[0].set_xlabel("position")
    axes[0].legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return axes


def language_model(run: poslab.Run, look: pictures.Looks) -> Any:
    axes = by_position(run, look, "a text, trained on 64 characters", "loss_by_position", "loss, nats", 16)
    axes[0].axvline(63.5, color="0.7", linewidth=0.8)
    axes[0].set_xticks([0, 64, 128, 256, 512])
    return axes


def previous_token(run: poslab.Run, look: pictures.Looks) -> Any:
    axes = by_position(run, look, "the token before, one layer", "accuracy_by_position", "share that is right")
    bound = run.curve("unordered_by_position", "language-model", variant=look.schemes.index[0])
    bound = bound.isel(repeat=0) if "repeat" in bound.dims else bound
    axes[0].plot(bound["position"], bound, color="black", linewidth=0.8, linestyle=":", label="bound without order")
    axes[0].axvline(15.5, color="0.7", linewidth=0.8)
    axes[0].set_ylim(0, 1.03)
    axes[0].legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return axes


def main(results: str, folder: str | None = None) -> None:
    study = Path(results).stem
    pictures.use_paper_style()
    run = poslab.open(results)
    axes = globals()[study.replace("-", "_")](run, pictures.Looks(run))
    pictures.save(axes[0].figure, f"{study}.png", folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
