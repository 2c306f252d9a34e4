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
MARGIN = 0.05  # inches, between what is drawn and the edge


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


def widen(figure: Figure) -> None:
    """The figure, larger by what lies beside and below its panels, legends and sentences, so that saving it cuts nothing off."""
    figure.draw_without_rendering()  # by which the layout is made
    width, height = figure.get_size_inches()
    drawn = figure.get_tightbbox()
    left, below = min(0, drawn.x0 - MARGIN), min(0, drawn.y0 - MARGIN)
    wide, high = max(width, drawn.x1 + MARGIN) - left, max(height, drawn.y1 + MARGIN) - below

    def moved(x: float, y: float) -> tuple[float, float]:
        return (x * width - left) / wide, (y * height - below) / high

    anchors = {legend: legend.get_bbox_to_anchor().transformed(figure.transFigure.inverted()).p0 for legend in figure.legends}
    figure.get_layout_engine().set(rect=(*moved(0, 0), width / wide, height / high))
    figure.set_size_inches(wide, high)
    for text in figure.texts:
        text.set_position(moved(*text.get_position()))
    for legend, anchor in anchors.items():
        legend.set_bbox_to_anchor(moved(*anchor), transform=figure.transFigure)
