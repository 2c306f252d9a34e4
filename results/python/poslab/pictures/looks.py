# SPDX-License-Identifier: Apache-2.0
"""One look a scheme in every picture, its curves, and what the legend beside them says."""

from collections.abc import Iterable, Mapping
from typing import Any

import matplotlib as mpl
import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from numpy.typing import NDArray

from poslab.advice import advice
from poslab.pictures.legends import legend_beside
from poslab.pictures.same_curves import say_what_is_the_same
from poslab.run_file import RunFile
from poslab.texts import plot_text, printable

# Okabe and Ito's colours, which all eyes tell apart, without their yellow, which paper swallows; with brown, grey and
# violet. The markers differ too, and the variants of a scheme in their dashes.
COLOURS = ["#000000", "#8C8C8C", "#6A3D1F", "#0072B2", "#56B4E9", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#5B4B9E"]
MARKERS = ["o", "s", "D", "^", "v", "P", "X", "*", "<", ">"]
Means = dict[str, tuple[xr.DataArray, xr.DataArray, xr.DataArray]]  # of each variant: mean, least, greatest
DASHES = ["-", (0, (4, 1.5)), (0, (1, 1.2)), (0, (5, 1.2, 1, 1.2))]


class Looks:
    """The look of each variant of a run: a colour and a marker for its scheme, dashes among the scheme's variants."""

    def __init__(self, run: RunFile, variants: Iterable[str] | None = None) -> None:
        """`variants`: only these are drawn, in this order; KeyError for one that the run has not."""
        self.schemes = self._all = run.index.drop_duplicates("variant").set_index("variant").scheme
        if variants is not None:
            chosen = [variants] if isinstance(variants, str) else list(dict.fromkeys(variants))
            for name in chosen:
                if name not in self.schemes.index:
                    raise KeyError(printable(f"no variant {name!r} in this run: {advice(name, list(self.schemes.index))}"))
            self.schemes = self.schemes.loc[chosen]
        self.labels = run.labels
        self.untrained = set(run.index[run.index.weights_state == "untrained"].variant)
        self._lines: dict[Axes, dict[str, Any]] = {}  # axes -> variant -> line

    def plain_name(self, variant: str) -> str:
        """`sinusoidal`, or of one of several variants `sinusoidal, timing-signal`; the study's own name where it has one."""
        label = self.labels[variant]
        if label.parameters is None:
            return plot_text(label.name)
        alone = (self._all == label.scheme).sum() == 1
        return plot_text(label.scheme if alone or not label.values else f"{label.scheme}, {label.values}")

    def name(self, variant: str) -> str:
        """The plain one, with `(untrained)` where weights were drawn."""
        return self.plain_name(variant) + (" (untrained)" if variant in self.untrained else "")

    def __call__(self, variant: str) -> dict[str, Any]:
        scheme = list(dict.fromkeys(self.schemes)).index(self.schemes[variant])
        among = list(self.schemes.index[self.schemes == self.schemes[variant]]).index(variant)
        # Earlier ones are broader, so that a later one on the same values does not hide them.
        breadth = 1 - list(self.schemes.index).index(variant) / len(self.schemes)
        return {
            "color": COLOURS[scheme % len(COLOURS)], "linestyle": DASHES[among % len(DASHES)],
            # Ten schemes on, the colours begin again, and the markers one further.
            "linewidth": 0.9 + 1.6 * breadth, "marker": MARKERS[(scheme + scheme // len(COLOURS)) % len(MARKERS)],
            "markersize": 2.5 + 3.5 * breadth, "markerfacecolor": "white", "markeredgewidth": 0.9,
            "label": self.name(variant),
        }

    def by_variant(self, rows: xr.Dataset) -> dict[str, xr.Dataset]:
        """The rows of each variant, in the study's order."""
        return {variant: rows.isel(cell=rows.variant.to_numpy() == variant) for variant in self.schemes.index
                if variant in rows.variant.to_numpy()}

    def longest(self, run: RunFile, experiment: str, **where: Any) -> dict[str, int]:
        """For each variant the longest `length` that it served, in the study's order."""
        rows = self.by_variant(run.rows(experiment, status="ok", **where))
        return {variant: rows[variant].length.max().item() for variant in rows}

    def curves(self, run: RunFile, experiment: str, measure: str, variants: Iterable[str] | Mapping[str, int] | None = None,
               **where: Any) -> dict[str, xr.DataArray]:
        """The curve of each variant that has one, in the study's order; repeats stay a dimension. `variants`: only
        these, or variant -> length.
        """
        found = {}
        for variant in self.schemes.index if variants is None else variants:
            length = {"length": variants[variant]} if isinstance(variants, dict) else {}
            try:
                found[variant] = run.curve(measure, experiment, variant=variant, **length, **where)
            except KeyError:  # no such experiment, measure or column
                raise
            except LookupError:  # skipped, failed, or not in this study
                continue
        return {variant: curve for variant, curve in found.items() if curve.notnull().any()}

    def means(self, run: RunFile, experiment: str, measure: str, variants: Iterable[str] | Mapping[str, int] | None = None,
              **where: Any) -> Means:
        """Mean, least and greatest over the repeats of each curve; all three are the curve where it has no repeats."""
        found = {}
        for variant, curve in self.curves(run, experiment, measure, variants, **where).items():
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

    def draw(self, axes: Axes, run: RunFile, experiment: str, measure: str, points: int | None = None, **where: Any) -> list[float]:
        """The measure of every variant that has one against its dimension: means over the repeats, with a band from the
        least to the greatest. Neighbours are averaged where the longest has more than so many `points`. Returns the coordinates
        that any of them has.
        """
        found: set[float] = set()
        means = self.means(run, experiment, measure, **where)
        longest = max((curves[0].size for curves in means.values()), default=0)
        neighbours = -(-longest // points) if points else 1  # of all variants alike
        for variant, curves in means.items():
            drawn = [smoothed(curve.dropna(str(curve.dims[0])), neighbours) for curve in curves]
            x = drawn[0][drawn[0].dims[0]].to_numpy().astype(float)
            mean, low, high = (curve.to_numpy() for curve in drawn)
            self.line(axes, variant, x, mean, low, high, markers=8 if len(x) > 12 else None)
            found.update(x.tolist())
        if not found:
            axes.text(0.5, 0.5, "no scheme has a number here", transform=axes.transAxes, ha="center", va="center", color="0.5")
        return sorted(found)

    def draw_once(self, axes: Axes, run: RunFile, experiment: str, measure: str, line: Mapping[str, Any], **where: Any) -> None:
        """A curve that is the same for every scheme, as `line` says: that of the scheme which was asked farthest; nothing if it has
        no number.
        """
        means = [mean for mean, _, _ in self.means(run, experiment, measure, **where).values()]
        if means:
            curve = max(means, key=lambda mean: int(mean.notnull().sum()))
            axes.plot(curve[curve.dims[0]], curve, **line)

    def _marked(self, axes: Axes, variant: str, x: NDArray[Any], markers: int) -> list[int]:
        shown = axes.xaxis.get_transform().transform(x.astype(float))
        phase = (list(self.schemes.index).index(variant) + 0.5) / len(self.schemes)
        wanted = shown[0] + (shown[-1] - shown[0]) * (np.arange(markers) + phase) / markers
        return sorted(set(np.abs(shown[:, None] - wanted).argmin(axis=0).tolist()))

    def legend(self, *all_axes: Axes) -> None:
        """One legend for these panels, right of their figure, in the study's order; other labels last. Below the panels,
        which curves lie on each other. Called when all is drawn.
        """
        handles: dict[str, Any] = {}
        for axes in all_axes:
            handles.update({label: handle for handle, label in zip(*axes.get_legend_handles_labels())})
            handles.update({self.name(variant): line for variant, line in self._lines.get(axes, {}).items()})  # "_x" is hidden there
        say_what_is_the_same(all_axes, [self._lines.get(axes, {}) for axes in all_axes], self.plain_name)
        for variant in self.schemes.index:  # as they look alone
            if self.name(variant) in handles and len(np.shape(handles[self.name(variant)])) == 0:
                handles[self.name(variant)] = mpl.lines.Line2D([], [], **self(variant))
        names = [self.name(variant) for variant in self.schemes.index]
        order = [name for name in names if name in handles] + [label for label in handles if label not in names]
        legend_beside(all_axes[0].figure, {label: handles[label] for label in order})


def smoothed(curve: xr.DataArray, neighbours: int) -> xr.DataArray:
    """Means of so many neighbours; the last may be of fewer."""
    if neighbours < 2:
        return curve
    blocks: Any = curve.coarsen({str(curve.dims[0]): neighbours}, boundary="pad")  # whose methods xarray makes as it runs
    means: xr.DataArray = blocks.mean()
    return means
