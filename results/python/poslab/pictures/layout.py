# SPDX-License-Identifier: Apache-2.0
"""Panels in a row, how a section begins, and a row for each name."""

import string
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from poslab.run_file import RunFile
from poslab.table import varying
from poslab.texts import printable

LETTERS = string.ascii_lowercase


PAPER = {
    "figure.dpi": 88, "savefig.dpi": 300, "figure.constrained_layout.use": True,
    "font.size": 8, "axes.titlesize": 8.5, "axes.labelsize": 8, "xtick.labelsize": 7, "ytick.labelsize": 7,
    "axes.titlelocation": "left", "axes.titlepad": 8, "axes.spines.top": False, "axes.spines.right": False,
    "legend.fontsize": 7.5, "legend.frameon": False,
}


def use_paper_style() -> None:
    mpl.rcParams.update(PAPER)


def panels(*titles: str, width: float = 7.4, height: float = 2.8, ratios: Sequence[float] | None = None, rows: int = 1,
           names: int = 0) -> Any:
    """Axes, lettered, in so many rows of this height; higher where it is not enough for so many `names` below each other
    (rows_of).
    """
    if not 0 < len(titles) <= len(LETTERS):
        raise ValueError(f"a figure has from one to {len(LETTERS)} panels, not {len(titles)}")
    columns = -(-len(titles) // rows)
    size = width, rows * max(height, 1.2 + 0.14 * names)
    _, grid = plt.subplots(rows, columns, figsize=size, gridspec_kw={"width_ratios": ratios or [1] * columns}, squeeze=False)
    for one, letter, title in zip(grid.flat, LETTERS, titles):
        one.set_title(rf"$\bf{{{letter}}}$  {title}")
    for one in grid.flat[len(titles):]:
        one.set_visible(False)
    return grid.flat[:len(titles)] if len(titles) > 1 else grid[0, 0]


def begin(run: RunFile, experiment: str, *drawn: str) -> dict[str, Any] | None:
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
    where: dict[str, Any] = {}
    left = good  # what of it has all that was chosen so far
    for name in varying(good):
        values = list(dict.fromkeys(value for value in good[name].to_numpy().tolist() if value == value))  # unset is NaN
        chosen = [value for value in left[name].to_numpy().tolist() if value == value]
        if name in ("scheme", "variant", "repeat", *drawn) or not chosen:
            continue
        where[name] = max(values, key=chosen.count)
        left = left.isel(cell=left[name].to_numpy() == where[name])
        others = ", ".join(str(value) for value in values if value != where[name])
        if others:
            print(printable(f"Drawn: {name} {where[name]}. The file has {others} too."))
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
