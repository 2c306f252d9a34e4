# SPDX-License-Identifier: Apache-2.0
"""One look a scheme in every picture, its curves, and the legend beside the panels."""

import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

import matplotlib as mpl
import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from numpy.typing import NDArray

import poslab
from poslab.pictures.same_curves import tell_apart
from poslab.run import Run

# Okabe and Ito's colours, which all eyes tell apart, without their yellow, which paper swallows; with brown, grey and
# violet. The markers differ too, and the variants of a scheme in their dashes.
COLOURS = ["#000000", "#8C8C8C", "#6A3D1F", "#0072B2", "#56B4E9", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#5B4B9E"]
MARKERS = ["o", "s", "D", "^", "v", "P", "X", "*", "<", ">"]
Means = dict[str, tuple[xr.DataArray, xr.DataArray, xr.DataArray]]  # of each variant: mean, least, greatest
DASHES = ["-", (0, (4, 1.5)), (0, (1, 1.2)), (0, (5, 1.2, 1, 1.2))]


class Looks:
    """The look of each variant of a run: a colour and a marker for its scheme, dashes among the scheme's variants."""

    def __init__(self, run: Run) -> None:
        self.schemes = run.index.drop_duplicates("variant").set_index("variant").scheme
        self.untrained = set(run.index[run.index.weights_state == "untrained"].variant)
        self._lines: dict[Axes, dict[str, Any]] = {}  # axes -> variant -> line

    def name(self, variant: str) -> str:
        """`sinusoidal(layout=timing-signal)` -> `sinusoidal, timing-signal`; `(untrained)` where weights were drawn."""
        scheme, _, settings = variant.rstrip(")").partition("(")
        alone = (self.schemes == self.schemes[variant]).sum() == 1
        words = [] if alone else [setting.partition("=")[2] for setting in settings.split(", ")]
        return poslab.plot_text(", ".join([scheme] + words)) + (" (untrained)" if variant in self.untrained else "")

    def __call__(self, variant: str) -> dict[str, Any]:
        scheme = list(dict.fromkeys(self.schemes)).index(self.schemes[variant])
        among = list(self.schemes.index[self.schemes == self.schemes[variant]]).index(variant)
        # Earlier ones are broader, so that a later one on the same values does not hide them.
        breadth = 1 - list(self.schemes.index).index(variant) / len(self.schemes)
        return {
            "color": COLOURS[scheme % len(COLOURS)], "linestyle": DASHES[among % len(DASHES)],
            "linewidth": 0.9 + 1.6 * breadth, "marker": MARKERS[scheme % len(MARKERS)],
            "markersize": 2.5 + 3.5 * breadth, "markerfacecolor": "white", "markeredgewidth": 0.9,
            "label": self.name(variant),
        }

    def by_variant(self, rows: xr.Dataset) -> dict[str, xr.Dataset]:
        """The rows of each variant, in the study's order."""
        return {variant: rows.isel(cell=rows.variant.to_numpy() == variant) for variant in self.schemes.index
                if variant in rows.variant.to_numpy()}

    def longest(self, run: Run, experiment: str, **where: Any) -> dict[str, int]:
        """For each variant the longest `length` that it served, in the study's order."""
        rows = self.by_variant(run.rows(experiment, status="ok", **where))
        return {variant: rows[variant].length.max().item() for variant in rows}

    def curves(self, run: Run, measure: str, variants: Iterable[str] | Mapping[str, int] | None = None, **where: Any) -> dict[str, xr.DataArray]:
        """The curve of each variant that has one, in the study's order; repeats stay a dimension. `variants`: only
        these, or variant -> length.
        """
        found = {}
        for variant in self.schemes.index if variants is None else variants:
            length = {"length": variants[variant]} if isinstance(variants, dict) else {}
            try:
                found[variant] = run.curve(measure, variant=variant, **length, **where)
            except LookupError:  # skipped, failed, or not in this study
                continue
        return {variant: curve for variant, curve in found.items() if curve.notnull().any()}

    def means(self, run: Run, measure: str, variants: Iterable[str] | Mapping[str, int] | None = None, **where: Any) -> Means:
        """Mean, least and greatest over the repeats of each curve; all three are the curve where it has no repeats."""
        found = {}
        for variant, curve in self.curves(run, measure, variants, **where).items():
            repeated = curve if "repeat" in curve.dims else curve.drop_vars("repeat").expand_dims("repeat")
            found[variant] = repeated.mean("repeat"), repeated.min("repeat"), repeated.max("repeat")
        return found

    def line(self, axes: Axes, variant: str, x: Any, y: Any, low: Any = None, high: Any = None, markers: int | None = None) -> None:
        """A curve, with a band from low to high. `markers`: how many there are along it, evenly on the axis as it is
        scaled then (default: one a point); those of several curves interleave.
        """
        look = self(variant)
        (line,) = axes.plot(x, y, markevery=self._marked(axes, variant, np.asarray(x), markers) if markers else None, **look)
        self._lines.setdefault(axes, {})[variant] = line
        if low is not None:
            axes.fill_between(x, low, high, color=look["color"], alpha=0.2, linewidth=0)

    def _marked(self, axes: Axes, variant: str, x: NDArray[Any], markers: int) -> list[int]:
        shown = axes.xaxis.get_transform().transform(x.astype(float))
        phase = (list(self.schemes.index).index(variant) + 0.5) / len(self.schemes)
        wanted = shown[0] + (shown[-1] - shown[0]) * (np.arange(markers) + phase) / markers
        return sorted(set(np.abs(shown[:, None] - wanted).argmin(axis=0).tolist()))

    def legend(self, *all_axes: Axes, beside: Axes | None = None) -> None:
        """One legend for these panels, right of `beside` (the last one), in the study's order; other labels last. Below
        the panels, which curves lie on each other. Called when all is drawn.
        """
        beside = beside or all_axes[-1]
        handles = {}
        for axes in all_axes:
            handles.update({label: handle for handle, label in zip(*axes.get_legend_handles_labels())})
        names = [self.name(variant) for variant in self.schemes.index]
        self._say_what_is_the_same(all_axes)
        for variant in self.schemes.index:  # as they look alone
            if self.name(variant) in handles and len(np.shape(handles[self.name(variant)])) == 0:
                handles[self.name(variant)] = mpl.lines.Line2D([], [], **self(variant))
        order = [name for name in names if name in handles] + [label for label in handles if label not in names]
        own = beside.get_legend()
        right = {"loc": "center left", "bbox_to_anchor": (1.04, 0.5), "borderaxespad": 0}
        if order:
            beside.legend([handles[label] for label in order], order, handlelength=3, **right)
        if own:
            beside.add_artist(own)  # a panel's own legend stays

    def _say_what_is_the_same(self, all_axes: tuple[Axes, ...]) -> None:
        """`On each other in a: rope = none; t5 = fire.`, for the panels in which curves are."""
        same = {letter: self._same(axes) for letter, axes in zip("abcdef", all_axes)}
        text = " ".join(f"In {letter}: {'; '.join(groups)}." for letter, groups in same.items() if groups)
        if not text:
            return
        figure = all_axes[0].figure
        width = int(19 * figure.get_size_inches()[0])  # letters of this size in a line
        lines = textwrap.fill(f"Curves on each other, their dashes in turn. {text}", width, break_on_hyphens=False)
        figure.supxlabel(lines, x=0.01, ha="left", fontsize=7, color="0.3")

    def _same(self, axes: Axes) -> list[str]:
        """`rope = none`, for each group of curves of these axes; the first three of them."""
        groups = tell_apart(axes, self._lines.get(axes, {}))
        names = [" = ".join(self.name(variant).removesuffix(" (untrained)") for variant in group[:4])
                 + (f" = {len(group) - 4} more" if len(group) > 4 else "") for group in groups]
        if len(names) > 3:
            names[3:] = [f"{len(names) - 3} more groups"]
        return names
