# SPDX-License-Identifier: Apache-2.0
"""Curves that lie on each other, told apart."""

import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from poslab.pictures.layout import LETTERS


def coinciding(curves: Mapping[Any, NDArray[Any]], nearer_than: float = 1.0) -> list[list[Any]]:
    """Groups of the names whose curves nowhere are further apart than this, in points of the picture. `curves`: name ->
    array of (x, y); a curve may end earlier, or begin later, than another.
    """
    groups: list[list[Any]] = []
    for name, points in curves.items():
        for group in groups:
            if _lie_on_each_other(curves[group[0]], points, nearer_than):
                group.append(name)
                break
        else:
            groups.append([name])
    return [group for group in groups if len(group) > 1]


def _lie_on_each_other(a: NDArray[Any], b: NDArray[Any], nearer_than: float) -> bool:
    a, b = (points[np.isfinite(points).all(axis=1)] for points in (a, b))
    a, b = a[np.isin(a[:, 0], b[:, 0])], b[np.isin(b[:, 0], a[:, 0])]
    return len(a) > 1 and a.shape == b.shape and bool((np.abs(a - b) <= nearer_than).all())


def tell_apart(axes: Axes, lines: Mapping[str, Any]) -> list[list[str]]:
    """Lines that lie on each other get the same breadth and dashes that take turns, so that all colours can be seen.
    `lines`: name -> line. Returns the groups of names. To be called when the axes have their scales.
    """
    axes.get_xlim(), axes.get_ylim()  # limits that follow the curves are made now
    points = {name: axes.transData.transform(np.column_stack([np.asarray(line.get_xdata(), float),
                                                              np.asarray(line.get_ydata(), float)]))
              for name, line in lines.items()}
    to_points = 72 / axes.figure.dpi
    groups = coinciding({name: of_name * to_points for name, of_name in points.items()})
    for group in groups:
        whole = max(group, key=lambda name: int(np.isfinite(points[name]).all(axis=1).sum()))  # below the others, without gaps
        for turn, name in enumerate(group):
            lines[name].set(linewidth=1.6, linestyle=(4 * turn, (4, 4 * (len(group) - 1))))
        lines[whole].set(linestyle="-", zorder=1.9)
    return groups


def say_what_is_the_same(all_axes: Sequence[Axes], lines: Sequence[Mapping[str, Any]], name: Callable[[str], str]) -> None:
    """Below the panels `In a: rope = none; t5 = fire.` (of one panel without its letter), for those in which curves lie on each
    other. `lines`: of each of the axes, its curves by variant; `name`: what a variant is called.
    """
    same = {letter: groups_told(tell_apart(axes, of_axes), name) for letter, axes, of_axes in zip(LETTERS, all_axes, lines)}
    place = ". In {}: " if len(all_axes) > 1 else ": "
    text = "".join(f"{place.format(letter)}{'; '.join(groups)}" for letter, groups in same.items() if groups)
    if text:
        figure = all_axes[0].figure
        width = int(19 * figure.get_size_inches()[0])  # letters of this size in a line
        told = textwrap.fill(f"Curves on each other, their dashes in turn{text}.", width, break_on_hyphens=False)
        figure.supxlabel(told, x=0.01, ha="left", fontsize=7, color="0.3")


def groups_told(groups: list[list[str]], name: Callable[[str], str]) -> list[str]:
    """`rope = none`, for each group; the first four of a group, and the first three groups."""
    told = [" = ".join(map(name, group[:4])) + (f" = {len(group) - 4} more" if len(group) > 4 else "") for group in groups]
    return told if len(told) <= 3 else [*told[:3], f"{len(told) - 3} more groups"]
