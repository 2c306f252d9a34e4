# SPDX-License-Identifier: Apache-2.0
"""The figure of a report: a panel for each experiment that has one, with a row for each scheme."""

from collections.abc import Callable
from typing import Any

import matplotlib
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from poslab.report.page import Page

matplotlib.use("Agg")
matplotlib.rcParams.update({"svg.hashsalt": "poslab", "svg.fonttype": "none", "pdf.fonttype": 42})  # the same bytes again
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

from poslab import plot_text  # noqa: E402


def heat(axes: Axes, page: Page, curve_of: Callable[[str], xr.DataArray | None], bar: str, **look: Any) -> None:
    """A row for each variant, its curve as colours; rows without a curve stay grey. Coordinates may differ by row."""
    axes.set_facecolor("0.9")
    axes.set_ylim(len(page.variants) - 0.5, -0.5)
    norm = plt.Normalize(look["low"], look["high"])
    for row, variant in enumerate(page.variants):
        curve = curve_of(variant)
        if curve is None:
            continue
        x, values = curve[curve.dims[0]].to_numpy().astype(float), curve.to_numpy()
        edges = np.concatenate([x - look["half"](x), [x[-1] + look["half"](x[-1:])[0]]])
        axes.pcolormesh(edges, [row - 0.45, row + 0.45], values[None, :], norm=norm, cmap=look["cmap"], rasterized=True)
    axes.set_xlabel(look["label"])
    axes.set_xscale(look.get("scale", "linear"))
    axes.tick_params(axis="y", length=0)
    plt.colorbar(plt.cm.ScalarMappable(norm, look["cmap"]), ax=axes, label=bar, shrink=0.35, pad=0.02)


def shift_panel(page: Page, axes: Axes) -> None:
    def logarithm(variant: str) -> xr.DataArray | None:
        error = page.curve("relative-shift", "content_error", variant)
        return None if error is None else xr.apply_ufunc(np.log10, np.maximum(error, 1e-17))

    heat(axes, page, logarithm, "log10 of change over rms logit", low=-16, high=0, cmap="viridis", label="shift", scale="log",
         half=lambda x: x * 0.6)


def drift_panel(page: Page, axes: Axes) -> None:
    heat(axes, page, lambda variant: page.curve("extrapolation", "equal_drift", variant), "standard deviations within it",
         low=-3, high=3, cmap="RdBu_r", label="position", half=lambda x: np.full(len(x), 30.0))


def share_panel(page: Page, axes: Axes) -> None:
    def ratio(variant: str) -> xr.DataArray | None:
        excess = page.curve("first-position-bias", "context_share_log_excess", variant)
        return None if excess is None else excess / np.log(2)

    heat(axes, page, ratio, "log2 of the ratio", low=-3, high=3, cmap="PuOr_r", label="layers",
         half=lambda x: np.full(len(x), 0.45))
    curves = [curve for curve in map(ratio, page.variants) if curve is not None]
    axes.set_xticks(sorted({int(x) for curve in curves for x in curve[curve.dims[0]]}))


def distance_panel(page: Page, axes: Axes) -> None:
    heat(axes, page, lambda variant: page.curve("distance-profile", "change_equal", variant), "standard deviations",
         low=-6, high=6, cmap="RdBu_r", label="distance", half=lambda x: np.full(len(x), 0.5))


def held_out_panel(experiment: str) -> Callable[[Page, Axes], None]:
    def draw(page: Page, axes: Axes) -> None:
        losses(page, axes, experiment, "held_out_loss", "updates")

    return draw


def position_panel(page: Page, axes: Axes) -> None:
    losses(page, axes, "language-model", "loss_by_position", "position")


def losses(page: Page, axes: Axes, experiment: str, measure: str, label: str) -> None:
    """Losses as colours between the least and the greatest of all schemes."""
    curves = {variant: page.curve(experiment, measure, variant) for variant in page.variants}
    numbers = np.concatenate([curve.to_numpy() for curve in curves.values() if curve is not None] or [np.zeros(1)])
    low, high = (float(bound(numbers[np.isfinite(numbers)], initial=start)) for bound, start in ((np.min, np.inf), (np.max, -np.inf)))
    heat(axes, page, curves.__getitem__, "nat", low=low, high=high, cmap="viridis_r", label=label,
         half=lambda x: np.full(len(x), 0.5 * (x[-1] - x[-2]) if len(x) > 1 else 0.5))


def perplexity_panel(page: Page, axes: Axes) -> None:
    def ratio(variant: str) -> xr.DataArray | None:
        curve = page.curve("language-model", "perplexity_ratio", variant)
        return None if curve is None else xr.apply_ufunc(np.log2, curve)

    heat(axes, page, ratio, "log2 of its ratio", low=-3, high=3, cmap="RdBu_r",
         label="times the trained length", scale="log", half=lambda x: x * 0.25)
    curves = [curve for curve in map(ratio, page.variants) if curve is not None]
    multiples = sorted({float(x) for curve in curves for x in curve[curve.dims[0]]})
    axes.set_xticks(multiples, [f"{multiple:g}" for multiple in multiples])
    axes.minorticks_off()


def accuracy_panel(page: Page, axes: Axes) -> None:
    heat(axes, page, lambda variant: page.curve("length-generalisation", "accuracy", variant), "share",
         low=0, high=1, cmap="viridis", label="size of the instance", half=lambda x: np.full(len(x), 0.45))


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
    height = 1.2 + 0.21 * len(page.variants)
    whole, axes = plt.subplots(1, len(asked), figsize=(1 + 4 * len(asked), height), sharey=True,
                               constrained_layout=True, squeeze=False)
    for (experiment, _, title, draw), one in zip(asked, axes[0], strict=True):
        draw(page, one)
        shown_at = page.shown_at(experiment)  # known once its curves have been looked for
        one.set_title(title + (f"\n{plot_text(shown_at)}" if shown_at else ""), loc="left", fontsize=9)
    names = [plot_text(page.names[variant]) + (f" {page.marks(variant)}" if page.marks(variant) else "") for variant in page.variants]
    axes[0, 0].set_yticks(range(len(names)), names, fontsize=7)
    return whole
