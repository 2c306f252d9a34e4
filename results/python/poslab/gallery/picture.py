# SPDX-License-Identifier: Apache-2.0
"""What a scheme computes, as a small picture, from the arrays that `poslab table` has written."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import matplotlib
import matplotlib.ticker
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

COLOURS = ["#000000", "#0072B2", "#D55E00", "#009E73"]
MOST_CHANNELS = 64


def heat(axes: Axes, values: NDArray[Any], title: str, x: str, y: str, extent: tuple[float, float, float, float] | None = None) -> None:
    """As many shades below 0 as above."""
    reach = float(np.nanmax(np.abs(values))) or 1.0
    image = axes.imshow(values, cmap="RdBu_r", vmin=-reach, vmax=reach, aspect="auto", interpolation="nearest", extent=extent)
    axes.set(xlabel=x, ylabel=y)
    axes.set_title(title, loc="left", fontsize=8)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(matplotlib.ticker.MaxNLocator(6, integer=True))
    if len(values) < 4:
        axes.set_yticks(range(len(values)))
    axes.figure.colorbar(image, ax=axes, pad=0.02)


def places(file: h5py.File) -> str:
    return "cell, row by row" if "position_row" in file else "position"


def by_distance(axes: Axes, logits: NDArray[Any], title: str, of: str = "position") -> None:
    """logits [heads, distance]: a line a head, or one for all."""
    alike = len(logits) > 1 and np.allclose(logits, logits[:1])
    for head, (values, colour) in enumerate(zip(logits[:1] if alike else logits, COLOURS)):
        axes.plot(np.arange(len(values)), values, color=colour, linewidth=2 - 0.4 * head, label=f"head {head}")
    axes.set(xlabel="positions back" if of == "position" else "cells back, row by row")
    axes.ticklabel_format(axis="y", useOffset=False)
    axes.set_title(title + (", all heads alike" if alike else ""), loc="left", fontsize=8)
    if len(axes.lines) > 1:
        axes.legend(fontsize=7, frameon=False, handlelength=1.2, loc="center left", bbox_to_anchor=(1, 0.5), borderaxespad=0.2)


def encoding(file: h5py.File, axes: NDArray[Any]) -> str:
    table = file["encoding_table"][()]
    used = 1 + int(np.flatnonzero(np.abs(table).max(axis=0) > 0).max(initial=0))
    heat(axes[0], table[:, :min(used, MOST_CHANNELS)].T, "the vector of a position", places(file), "channel")
    products = table @ table.T
    by_distance(axes[1], products[-1:, ::-1], "its product with that of the last position", places(file))
    return "what is added to a token, and how alike the vectors are"


def rotation(file: h5py.File, axes: NDArray[Any], name: str = "rotated_ones", what: str = "key") -> str:
    rotated = file[name][()]
    heat(axes[0], rotated[0].T, f"an all-ones {what} of head 0, rotated", places(file), "channel")
    if "position_bias" in file:
        by_distance(axes[1], file["position_bias"][()][:, -1, ::-1], "what is added to a logit, last query")
        return "an all-ones key as it is rotated, and what is added to a logit by distance"
    asking = file.get("rotated_ones_query", file[name])[()] if what == "key" else rotated
    products = np.einsum("hc,hjc->hj", asking[:, -1], rotated)[:, ::-1]
    if what == "value":
        by_distance(axes[1], products, "product with that of the last position", places(file))
        return "an all-ones value as it is rotated, and its product with that of the last position"
    by_distance(axes[1], products, "product of all-ones q and k", places(file))
    return "an all-ones key as it is rotated, and its product with an all-ones query at the last position"


def bias(file: h5py.File, axes: NDArray[Any], name: str, what: str) -> str:
    logits = file[name][()]
    if name != "position_bias":  # what the tokens hold alone gives every pair the same
        logits, what = logits - np.median(logits, axis=(1, 2), keepdims=True), f"{what}, less its median"
    if "query_position_row" in file:
        return bias_on_grid(file, axes, logits, what)
    heat(axes[0], logits[0], "head 0", "key", "query")
    by_distance(axes[1], logits[:, -1, ::-1], "last query")
    return f"{what}: of all pairs, and by distance"


def bias_on_grid(file: h5py.File, axes: NDArray[Any], logits: NDArray[Any], what: str) -> str:
    rows, columns = (file[f"key_position_{axis}"][()].astype(int) for axis in ("row", "column"))
    middle = int(np.flatnonzero((rows == rows.max() // 2) & (columns == columns.max() // 2))[0])
    for head, one in enumerate(axes):
        cells = np.full((rows.max() + 1, columns.max() + 1), np.nan)
        cells[rows, columns] = logits[head, middle]
        heat(one, cells, f"head {head}", "column", "row")
        one.plot(columns[middle], rows[middle], "x", color="black", markersize=4)
    return f"{what} of each key cell, for the query at the cross"


# The first of these that a scheme has is drawn.
KINDS: dict[str, Callable[[h5py.File, NDArray[Any]], str]] = {
    "encoding_table": encoding,
    "rotated_ones": rotation,
    "rotated_ones_value": lambda file, axes: rotation(file, axes, "rotated_ones_value", "value"),
    "position_bias": lambda file, axes: bias(file, axes, "position_bias", "what is added to a logit"),
    "score_of_ones": lambda file, axes: bias(file, axes, "score_of_ones", "logit of all-ones q, k and x"),
}


def picture(table: Path, path: Path) -> str:
    """Draws the arrays in the file `table`; returns what is shown, in words, or "" if there is nothing."""
    with plt.rc_context({"font.size": 8}):
        figure, shown = drawn(table)
        if figure is not None:
            figure.savefig(path, dpi=90, metadata={"Software": None})
            plt.close(figure)
    return shown


def drawn(table: Path) -> tuple[Figure | None, str]:
    with h5py.File(table, "r") as file:
        kinds = [draw for name, draw in KINDS.items() if name in file]
        if not kinds:
            return None, ""
        figure, axes = plt.subplots(1, 2, figsize=(6.6, 2.3), constrained_layout=True)
        return figure, kinds[0](file, axes)
