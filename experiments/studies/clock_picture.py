#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The picture of clock.md, from the results of clock.toml and clock-grid.toml.

    /usr/bin/python3 experiments/studies/clock_picture.py results/runs/clock.h5 results/runs/clock-grid.h5

Into the working directory, where none is replaced, or the folder named last: `experiments/studies` renews the committed one.
"""

import sys
from pathlib import Path

from matplotlib.axes import Axes

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "results/python"))
import matplotlib  # noqa: E402

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
import poslab  # noqa: E402
from poslab import pictures  # noqa: E402


def matrix(axes: Axes, run: poslab.Run, scheme: str) -> None:
    codes = run.curve("matrix", "clock", scheme=scheme)
    values = codes.transpose("position", "channel").to_numpy()
    largest = np.abs(values).max()
    axes.imshow(values, aspect="auto", interpolation="nearest", cmap="RdBu_r", vmin=-largest, vmax=largest)
    axes.set_xlabel("channel")
    axes.set_ylabel("position")


def hands(axes: Axes, run: poslab.Run) -> None:
    """The angle of every plane at every position: a colour that comes back where the hand does."""
    angles = run.curve("angle", "clock", scheme="rope").isel(head=0).transpose("plane", "position").to_numpy()
    image = axes.imshow(angles, aspect="auto", interpolation="nearest", cmap="twilight", vmin=0, vmax=2 * np.pi)
    bar = axes.figure.colorbar(image, ax=axes, ticks=[0, np.pi, 2 * np.pi])
    bar.ax.set_yticklabels(["0", "π", "2π"])
    axes.set_xlabel("position")
    axes.set_ylabel("plane")


def turns(axes: Axes, run: poslab.Run) -> None:
    of_planes = run.curve("turns", "clock", scheme="rope").isel(axis=0, head=0)
    axes.semilogy(of_planes["plane"], of_planes, ".", color="black")
    axes.axhline(1, color="#8C8C8C", linewidth=0.8)
    axes.set_xlabel("plane")
    axes.set_ylabel("turns within 128 positions")


def grid(axes: Axes, run: poslab.Run, scheme: str, channel: int) -> None:
    pictures.heat_on_grid(axes, run.curve("matrix", "clock", scheme=scheme).sel(channel=channel), "position",
                          centred=True)


def main(line: str, patches: str, folder: str | None = None) -> None:
    pictures.use_paper_style()
    run, on_grid = poslab.open(line), poslab.open(patches)
    figure, rows = plt.subplots(2, 4, figsize=(9.6, 4.6))
    for axes, scheme in zip(rows[0], ("sinusoidal", "rope")):
        axes.set_title(f"{scheme}: the matrix")
        matrix(axes, run, scheme)
    rows[0, 2].set_title("rope: angles")
    hands(rows[0, 2], run)
    rows[0, 3].set_title("rope: turns")
    turns(rows[0, 3], run)
    for axes, (scheme, channel) in zip(rows[1], (("sincos-2d", 2), ("sincos-2d", 34), ("rope-2d", 4), ("rope-2d", 36))):
        axes.set_title(f"{scheme}: channel {channel}")
        grid(axes, on_grid, scheme, channel)
    pictures.save(figure, "clock.png", folder, tight=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
