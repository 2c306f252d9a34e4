# SPDX-License-Identifier: Apache-2.0
"""The figure of a report: a panel for each experiment that has one, with a row for each line of the table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib
import matplotlib.ticker
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from poslab.report.page import Page

matplotlib.use("Agg")
matplotlib.rcParams.update({"svg.hashsalt": "poslab", "svg.fonttype": "none", "pdf.fonttype": 42})  # the same bytes again
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

from poslab.texts import plot_text  # noqa: E402


@dataclass(frozen=True)
class Row:
    """A line of the table: a variant, and the page whose run it is of."""

    page: Page
    variant: str

    def curve(self, experiment: str, measure: str) -> xr.DataArray | None:
        return self.page.curve(experiment, measure, self.variant)


@dataclass(frozen=True)
class Panel:
    """Where rows are drawn, and the bar of their colours below."""

    axes: Axes
    bar: Axes


ROW, BAR, WORDS = 0.21, 0.1, 1.5  # inches of a figure: a row, the bars, and what is written above and below them
LETTER = 0.06  # of a row's name
CurveOf = Callable[[Row], xr.DataArray | None]


def edges(x: NDArray[np.float64], is_logarithmic: bool) -> NDArray[np.float64]:
    """Between coordinates halfway, on a logarithmic axis in ratio; as far beyond the first and the last; of one coordinate alone half a
    unit, or half an octave."""
    at = np.log2(x) if is_logarithmic else x
    steps = np.diff(at) if len(at) > 1 else np.ones(1)
    found: NDArray[np.float64] = np.concatenate([[at[0] - steps[0] / 2], (at[:-1] + at[1:]) / 2, [at[-1] + steps[-1] / 2]])
    return np.asarray(np.exp2(found)) if is_logarithmic else found


def heat(panel: Panel, rows: Sequence[Row], curve_of: CurveOf, bar: str, **look: Any) -> None:
    """The curve of each row as colours; rows without a curve stay grey. Coordinates may differ by row."""
    axes = panel.axes
    axes.set_facecolor("0.9")
    axes.set_ylim(len(rows) - 0.5, -0.5)
    norm = plt.Normalize(look["low"], look["high"])
    for row, curve in enumerate(map(curve_of, rows)):
        if curve is None:
            continue
        x, values = curve[curve.dims[0]].to_numpy().astype(float), curve.to_numpy()
        shown = x > 0 if look.get("scale") == "log" else np.full(len(x), True)
        if shown.any():
            axes.pcolormesh(edges(x[shown], look.get("scale") == "log"), [row - 0.45, row + 0.45], values[None, shown], norm=norm,
                            cmap=look["cmap"], rasterized=True)
    axes.set_xlabel(look["label"])
    axes.set_xscale(look.get("scale", "linear"))
    if axes.get_xscale() == "linear":  # of positions, layers, updates, sizes
        axes.xaxis.set_major_locator(matplotlib.ticker.MaxNLocator(6, integer=True))
    axes.tick_params(axis="y", length=0)
    plt.colorbar(plt.cm.ScalarMappable(norm, look["cmap"]), cax=panel.bar, orientation="horizontal", label=bar)


def coordinates(rows: Sequence[Row], curve_of: CurveOf) -> list[float]:
    """Those that any row's curve has."""
    curves = [curve for curve in map(curve_of, rows) if curve is not None]
    return sorted({float(x) for curve in curves for x in curve[curve.dims[0]]})


def shift_panel(rows: Sequence[Row], panel: Panel) -> None:
    def logarithm(row: Row) -> xr.DataArray | None:
        error = row.curve("relative-shift", "content_error")
        return None if error is None else xr.apply_ufunc(np.log10, np.maximum(error, 1e-17))

    heat(panel, rows, logarithm, "log10 of change over rms logit", low=-16, high=0, cmap="viridis", label="shift", scale="log")


def drift_panel(rows: Sequence[Row], panel: Panel) -> None:
    heat(panel, rows, lambda row: row.curve("extrapolation", "equal_drift"), "standard deviations within it",
         low=-3, high=3, cmap="RdBu_r", label="position")


def share_panel(rows: Sequence[Row], panel: Panel) -> None:
    def ratio(row: Row) -> xr.DataArray | None:
        # Means over repeats, whose ratio is what is answered; not the mean of their ratios' logarithms.
        share, none = (row.curve("first-position-bias", measure) for measure in ("context_share", "context_share_none"))
        return None if share is None or none is None else np.log2(share / none)

    heat(panel, rows, ratio, "log2 of the ratio", low=-3, high=3, cmap="PuOr_r", label="layers")
    panel.axes.set_xticks(coordinates(rows, ratio))


def distance_panel(rows: Sequence[Row], panel: Panel) -> None:
    heat(panel, rows, lambda row: row.curve("distance-profile", "change_equal"), "standard deviations",
         low=-6, high=6, cmap="RdBu_r", label="distance")


def held_out_panel(experiment: str) -> Callable[[Sequence[Row], Panel], None]:
    def draw(rows: Sequence[Row], panel: Panel) -> None:
        losses(rows, panel, experiment, "held_out_loss", "updates")

    return draw


def position_panel(rows: Sequence[Row], panel: Panel) -> None:
    losses(rows, panel, "language-model", "loss_by_position", "position")


def losses(rows: Sequence[Row], panel: Panel, experiment: str, measure: str, label: str) -> None:
    """Losses as colours between the least and the greatest of all rows."""
    curves = {row: row.curve(experiment, measure) for row in rows}
    numbers = np.concatenate([curve.to_numpy() for curve in curves.values() if curve is not None] or [np.zeros(1)])
    low, high = (float(bound(numbers[np.isfinite(numbers)], initial=start)) for bound, start in ((np.min, np.inf), (np.max, -np.inf)))
    heat(panel, rows, curves.__getitem__, "nat", low=low, high=high, cmap="viridis_r", label=label)


def perplexity_panel(rows: Sequence[Row], panel: Panel) -> None:
    def ratio(row: Row) -> xr.DataArray | None:
        curve = row.curve("language-model", "perplexity_ratio")
        return None if curve is None else xr.apply_ufunc(np.log2, curve)

    heat(panel, rows, ratio, "log2 of its ratio", low=-3, high=3, cmap="RdBu_r",
         label="times the trained length", scale="log")
    multiples = coordinates(rows, ratio)
    panel.axes.set_xticks(multiples, [f"{multiple:g}" for multiple in multiples])
    panel.axes.minorticks_off()


def accuracy_panel(rows: Sequence[Row], panel: Panel) -> None:
    heat(panel, rows, lambda row: row.curve("length-generalisation", "accuracy"), "share",
         low=0, high=1, cmap="viridis", label="size of the instance")


PANELS = [  # of which experiment, what it shows, its title, and who draws it
    ("relative-shift", "change of logits under shifts", "change of logits when all positions move", shift_panel),
    ("extrapolation", "drift beyond the trained length", "equal tokens' logits beyond the trained length", drift_panel),
    ("distance-profile", "logits by distance", "equal tokens' logits by distance, less those of none", distance_panel),
    ("first-position-bias", "the share of position 0", "position 0 in the last context, over that of none", share_panel),
    ("language-model", "held-out loss in training", "held-out loss in training", held_out_panel("language-model")),
    ("language-model", "loss of trained networks by position", "trained: loss by position", position_panel),
    ("language-model", "perplexity of trained networks beyond their length", "trained: perplexity on longer sequences", perplexity_panel),
    ("length-generalisation", "held-out loss in training", "held-out loss in training", held_out_panel("length-generalisation")),
    ("length-generalisation", "accuracy of trained networks by size", "trained: tokens of larger instances that are right",
     accuracy_panel),
]


def figure(page: Page) -> Figure | None:
    """A panel for each of PANELS that the study asks; None if it asks none."""
    asked = [panel for panel in PANELS if panel[0] in page.run.experiments]
    page.pictured = [(experiment, what) for experiment, what, _, _ in asked]
    if not asked:
        return None
    lines = list(page.lines())
    rows = [Row(of, variant) for of, variant, _ in lines]
    names = [" ".join(filter(None, (plot_text(of.names[variant]), signs))) for of, variant, signs in lines]
    size = 0.4 + 4 * len(asked) + LETTER * max(map(len, names), default=0), ROW * len(rows) + BAR + WORDS
    whole, grid = plt.subplots(2, len(asked), figsize=size, sharey="row", constrained_layout=True, squeeze=False,
                               height_ratios=[ROW * len(rows), BAR])
    for (experiment, _, title, draw), axes, bar in zip(asked, *grid, strict=True):
        draw(rows, Panel(axes, bar))
        bar.tick_params(axis="y", left=False, labelleft=False)
        shown_at = page.shown_at(experiment)  # known once its curves have been looked for
        axes.set_title(title + (f"\n{plot_text(shown_at)}" if shown_at else ""), loc="left", fontsize=9)
    grid[0, 0].set_yticks(range(len(names)), names, fontsize=7)
    return whole
