# SPDX-License-Identifier: Apache-2.0
"""Logits by distance."""

from collections.abc import Iterable, Mapping
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import xarray as xr
from matplotlib.axes import Axes
from numpy.typing import NDArray

from poslab.pictures.looks import Looks, Means
from poslab.pictures.scales import powers_of_two_from_0
from poslab.run_file import RunFile

# Broad first, so that one on the same values does not hide it: all-ones contents lie on equal ones for every bias.
CONTENTS = {
    "equal": ("equal contents", {"color": "#E69F00", "linewidth": 3.2}),
    "random": ("random contents", {"color": "#0072B2", "linewidth": 1.2}),
    "ones": ("all-ones contents", {"color": "#000000", "linewidth": 0.9, "linestyle": (0, (3, 2))}),
}
EXPERIMENT = "distance-profile"
BOUND = {"color": "#D55E00", "linestyle": ":", "linewidth": 1.6}


def distance_profile(run: RunFile, look: Looks, variants: Iterable[str] | None = None, columns: int = 4, width: float = 7.4, **where: Any) -> Any:
    """Logits by distance, a panel for each variant (default: all that have a profile): mean (line) and standard
    deviation (band) for three kinds of contents. Dotted: the shape of RoFormer's bound, which itself lies far above,
    drawn from the value of all-ones contents at distance 0.
    `where` names the axes that several cells differ in, as in `run.curve`.
    """
    profiles = look.means(run, EXPERIMENT, "mean_ones", variants, **where)
    if not profiles:
        raise LookupError(f"no variant has logits by distance where {where or 'all is as it is'}")
    columns = min(columns, len(profiles))
    rows = -(-len(profiles) // columns)
    _, panel_of = plt.subplots(rows, columns, figsize=(width, 0.7 + 1.6 * rows), sharex=True, sharey=True,
                              squeeze=False)
    for axes, variant in zip(panel_of.flat, profiles):
        title = axes.set_title(look.name(variant))
        title.set_fontsize(title.get_fontsize() * min(1, 26 / len(title.get_text())))  # not into the next panel
        axes.axhline(0, color="0.85", linewidth=0.8, zorder=0)
        for contents in CONTENTS:
            _profile(axes, run, look, variant, contents, where)
        _bound(axes, look.means(run, EXPERIMENT, "bound", [variant], **where), profiles[variant][0])
    for axes in panel_of.flat[len(profiles):]:
        axes.set_visible(False)
    _profile_scales(panel_of, [mean for mean, _, _ in profiles.values()])
    handles = [mpl.lines.Line2D([], [], label=name, **line) for name, line in CONTENTS.values()]
    handles.append(mpl.lines.Line2D([], [], **BOUND, label="shape of RoFormer's bound"))
    panel_of[0, 0].figure.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, 0), ncols=4)
    return panel_of


def _profile(axes: Axes, run: RunFile, look: Looks, variant: str, contents: str, where: Mapping[str, Any]) -> None:
    name, line = CONTENTS[contents]
    mean = look.means(run, EXPERIMENT, f"mean_{contents}", [variant], **where)[variant][0]
    deviation = look.means(run, EXPERIMENT, f"deviation_{contents}", [variant], **where)[variant][0]
    axes.fill_between(mean.distance, mean - deviation, mean + deviation, color=line["color"], alpha=0.18, linewidth=0)
    axes.plot(mean.distance, mean, label=name, **line)


def _bound(axes: Axes, bounds: Means, ones: xr.DataArray) -> None:
    for bound, _, _ in bounds.values():
        start = bound.distance.to_numpy() == 0
        scale = ones.to_numpy()[start] / bound.to_numpy()[start]
        axes.plot(bound.distance, bound * scale, **BOUND)


def _profile_scales(panel_of: NDArray[Any], means: list[xr.DataArray]) -> None:
    """A logarithm of the distance that shows 0. What falls below -15 leaves the panel: it has no weight any more."""
    for axes in panel_of.flat:
        powers_of_two_from_0(axes, max(float(mean.distance.max()) for mean in means))
    low, _ = panel_of[0, 0].get_ylim()
    panel_of[0, 0].set_ylim(max(low, -15), max(float(mean.max()) for mean in means) + 4)
    figure = panel_of[0, 0].figure
    figure.supxlabel("distance m − n (positions)", fontsize=8)
    figure.supylabel("logit (sd of content logits)", fontsize=8)
