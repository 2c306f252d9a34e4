# SPDX-License-Identifier: Apache-2.0
"""Legends that no panel lies under, however long they are."""

from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.transforms import ScaledTranslation

LINE = 1.5  # height of an entry, over the size of its letters


def legend_beside(figure: Figure, handles: Mapping[str, Any]) -> None:
    """Right of the figure, which it does not make smaller; in as many columns as it takes not to be higher."""
    if not handles:
        return
    letters = FontProperties(size=mpl.rcParams["legend.fontsize"]).get_size_in_points()
    entries = max(1, int(figure.get_size_inches()[1] * 72 / (LINE * letters)))
    labels = [f" {label}" if label.startswith("_") else label for label in handles]  # which matplotlib would leave out
    figure.legend(list(handles.values()), labels, handlelength=3, ncols=-(-len(handles) // entries), loc="center left",
                  bbox_to_anchor=(1.01, 0.5), borderaxespad=0)


def legend_below(axes: Axes, **look: Any) -> None:
    """The legend of one panel, under the words of its axis."""
    below = axes.transAxes + ScaledTranslation(0, -30 / 72, axes.figure.dpi_scale_trans)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 0), bbox_transform=below, borderaxespad=0, **look)
