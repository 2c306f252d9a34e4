# SPDX-License-Identifier: Apache-2.0
"""Panels in a row, how a section begins, and a row for each name."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

import poslab
from poslab.run import Run


def use_paper_style() -> None:
    mpl.rcParams.update({
        "figure.dpi": 88, "savefig.dpi": 300, "figure.constrained_layout.use": True,
        "font.size": 8, "axes.titlesize": 8.5, "axes.labelsize": 8, "xtick.labelsize": 7, "ytick.labelsize": 7,
        "axes.titlelocation": "left", "axes.titlepad": 8, "axes.spines.top": False, "axes.spines.right": False,
        "legend.fontsize": 7.5, "legend.frameon": False,
    })


def panels(*titles: str, width: float = 7.4, height: float = 2.8, ratios: Sequence[float] | None = None) -> Any:
    """A row of axes, lettered."""
    widths = {"width_ratios": ratios or [1] * len(titles)}
    _, axes = plt.subplots(1, len(titles), figsize=(width, height), gridspec_kw=widths)
    for one, letter, title in zip(np.atleast_1d(axes), "abcdef", titles):
        one.set_title(rf"$\bf{{{letter}}}$  {title}")
    return axes


def begin(run: Run, experiment: str, *drawn: str) -> dict[str, Any] | None:
    """What a section needs to begin: of each axis that varies and is not `drawn`, the value that most cells have, as
    words for `run.rows` and `run.curve`. None, and a sentence, if this file has no cells of the experiment.
    """
    if experiment not in run.experiments:
        print(f"This file has no {experiment}: its study did not ask for it.")
        return None
    good = run.rows(experiment, status="ok")
    if good.sizes["cell"] == 0:
        print(f"No cell of {experiment} in this file has numbers: run.failures and run.skipped say why.")
        return None
    where = {}
    for name in poslab.varying(good):
        if name in ("scheme", "variant", "repeat", *drawn):
            continue
        values = [value for value in good[name].to_numpy().tolist() if value == value]
        counts = {value: values.count(value) for value in values}
        where[name] = max(counts, key=lambda value: counts[value])
        others = ", ".join(str(value) for value in counts if value != where[name])
        if others:
            print(poslab.printable(f"Drawn: {name} {where[name]}. The file has {others} too."))
    return where


def rows_of(axes: Axes, names: Sequence[str]) -> NDArray[Any]:
    """A row for each name, from the top; returns their heights."""
    heights = -np.arange(len(names), dtype=float)
    axes.set_yticks(heights, names)
    axes.set_ylim(heights.min(initial=0) - 0.6, 0.6)
    axes.tick_params(axis="y", length=0)
    for height in heights:
        axes.axhline(height, color="0.92", linewidth=0.8, zorder=0)
    return heights


def save(figure: Figure, name: str, folder: str | None = None, tight: bool = True) -> None:
    """Into the folder, or the working directory, where nothing is replaced: FileExistsError says so."""
    path = Path(folder or ".") / name
    if folder is None and path.exists():
        raise FileExistsError(f"{path.resolve()} is there already; name its folder to replace it")
    figure.savefig(path, dpi=130, bbox_inches="tight" if tight else None, metadata={"Software": None})
