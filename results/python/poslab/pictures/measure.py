# SPDX-License-Identifier: Apache-2.0
"""One measure of a run in one panel: `run.plot`."""

import textwrap
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from poslab.described import sentence_of, unit_of
from poslab.pictures.layout import PAPER, rows_of
from poslab.pictures.legends import widen
from poslab.pictures.looks import Looks
from poslab.run_file import RunFile
from poslab.table import varying
from poslab.texts import plot_text, printable


def plot(run: RunFile, measure: str, experiment: str, axes: Axes | None = None, **where: Any) -> Axes:
    if axes is not None:
        return drawn(run, measure, experiment, axes, where)
    with mpl.rc_context(PAPER):
        own = drawn(run, measure, experiment, plt.subplots(figsize=(5, 3))[1], where)
        widen(own.figure)
    return own


def drawn(run: RunFile, measure: str, experiment: str, axes: Axes, where: dict[str, Any]) -> Axes:
    rows = run.rows(experiment, status="ok", **where)
    looks = Looks(run)
    if measure in rows:
        scalar(axes, looks, rows, measure)
        described = rows[measure].attrs
    else:
        looks.draw(axes, run, experiment, measure, **where)
        curves = looks.curves(run, experiment, measure, **where)
        described = {}
        for curve in list(curves.values())[:1]:
            described = curve.attrs
            dimension = [name for name in map(str, curve.dims) if name != "repeat"][0]
            axes.set_xlabel(named(dimension, curve[dimension].attrs))
            spread(axes, curve[dimension].to_numpy())
        axes.set_ylabel(named(measure, described))
    axes.set_title(textwrap.fill(plot_text(sentence_of(described)), 70))
    looks.legend(axes)
    return axes


def scalar(axes: Axes, looks: Looks, rows: xr.Dataset, measure: str) -> None:
    """Means over repeats with their standard errors: along the one axis that varies, or in a row for each scheme."""
    axes_that_vary = [name for name in varying(rows) if name not in ("scheme", "variant", "repeat")]
    along = [name for name in axes_that_vary if rows[name].dtype.kind in "iuf"]
    others = [name for name in axes_that_vary if name not in along]
    if len(along) > 1 or others:
        values = "; ".join(f"{name}: {', '.join(map(str, dict.fromkeys(rows[name].to_numpy().tolist())))}" for name in axes_that_vary)
        all_of = "all but one of them" if not others else f"{', '.join(others)}" + (", and of all but one other" if len(along) > 1 else "")
        raise ValueError(printable(f"{measure} varies along {', '.join(axes_that_vary)}: say one value of {all_of} ({values})"))
    by_variant = looks.by_variant(rows)
    if not along:
        for height, (variant, of) in zip(rows_of(axes, [looks.name(each) for each in by_variant]), by_variant.items()):
            mean, error = mean_and_error(of[measure].to_numpy())
            axes.errorbar(mean, height, xerr=error, color=looks(variant)["color"], marker=looks(variant)["marker"], capsize=2)
        axes.set_xlabel(named(measure, rows[measure].attrs))
        return
    for variant, of in by_variant.items():
        x = of[along[0]].to_numpy().astype(float)
        points = sorted(set(x[~np.isnan(of[measure].to_numpy())].tolist()))
        numbers = np.array([mean_and_error(of[measure].to_numpy()[x == point]) for point in points]).reshape(-1, 2)
        if len(points):
            looks.line(axes, variant, points, numbers[:, 0], numbers[:, 0] - numbers[:, 1], numbers[:, 0] + numbers[:, 1])
    axes.set_xlabel(named(along[0], rows[along[0]].attrs))
    axes.set_ylabel(named(measure, rows[measure].attrs))
    spread(axes, rows[along[0]].to_numpy())


def spread(axes: Axes, x: Any) -> None:
    """A logarithmic axis for few values that are far apart."""
    values = np.unique(x[~np.isnan(x.astype(float))])
    if 1 < len(values) <= 16 and values[0] > 0 and values[-1] >= 8 * values[0]:
        axes.set_xscale("log", base=2)


def mean_and_error(numbers: Any) -> tuple[float, float]:
    """Over the repeats that have a number; no error of one."""
    there = numbers[~np.isnan(numbers)].astype(float)
    if len(there) == 0:
        return np.nan, np.nan
    return float(there.mean()), float(there.std(ddof=1) / np.sqrt(len(there))) if len(there) > 1 else 0.0


def named(name: str, described: dict[Any, Any]) -> str:
    unit = unit_of(described)
    return plot_text(name if unit == "1" else f"{name} [{unit}]")
