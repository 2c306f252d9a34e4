# SPDX-License-Identifier: Apache-2.0
"""Whether the words of a figure can be read: none lies on another, none leaves the paper."""

from itertools import combinations

from matplotlib.text import Text
from matplotlib.transforms import Bbox

SLACK = 1.0  # points that boxes may share above each other, and be cut: letters are smaller than their boxes
GAP = 1.0  # points between words beside each other


def boxes(figure):
    """The box of each text that is drawn, with its words."""
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    found = []
    for text in figure.findobj(lambda artist: isinstance(artist, Text) and artist.get_text().strip() and artist.get_visible()):
        if is_drawn(text, figure):
            found.append((text.get_text(), text.get_window_extent(renderer)))
    return found


def is_drawn(text, figure):
    """Ticks beyond the limits of their axis have texts, too, and so has an axis that is switched off."""
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            ticks = [*axis.majorTicks, *axis.minorTicks]
            of_ticks = {label: tick for tick in ticks for label in (tick.label1, tick.label2)}
            if text in of_ticks:
                tick = of_ticks[text]
                low, high = sorted(axis.get_view_interval())
                return axes.get_visible() and axis.get_visible() and axes.axison and low <= tick.get_loc() <= high
        own = [axes.title, axes._left_title, axes._right_title, axes.xaxis.label, axes.yaxis.label, axes.xaxis.offsetText, axes.yaxis.offsetText]
        if text in own or text in axes.texts:
            return axes.get_visible()
    return True


def problems(figure, tight=False):
    """In sentences. `tight`: it is saved with bbox_inches="tight", so that the paper is as large as it must be."""
    slack, gap = SLACK * figure.dpi / 72, GAP * figure.dpi / 72
    paper, found = figure.bbox, []
    words = boxes(figure)
    for (a, of_a), (b, of_b) in combinations(words, 2):
        wider = Bbox.from_extents(of_a.x0 - gap, of_a.y0, of_a.x1 + gap, of_a.y1)
        shared = Bbox.intersection(wider, of_b)
        if shared is not None and shared.height > slack and shared.width > 0:
            found.append(f"{a!r} lies on {b!r}")
    if not tight:
        found += [f"{a!r} is cut by the edge" for a, of_a in words if of_a.x0 < paper.x0 - slack or of_a.y0 < paper.y0 - slack or
                  of_a.x1 > paper.x1 + slack or of_a.y1 > paper.y1 + slack]
    return found
