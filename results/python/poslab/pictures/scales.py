# SPDX-License-Identifier: Apache-2.0
"""Logarithms that can show 0, and powers of two."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray


def log_with_zeros(axes: Axes, curves: Mapping[Any, Any], which: str = "y") -> dict[Any, NDArray[Any]]:
    """A logarithmic axis for non-negative curves (variant -> values), with a grey strip at its low end for values that
    are exactly 0: a lane each, since a logarithm cannot show them. Returns the curves as they are to be drawn.
    """
    curves = {variant: np.asarray(values, dtype=float) for variant, values in curves.items()}
    positive = np.concatenate([values[values > 0] for values in curves.values()] or [[]])
    low, high = (np.log10(positive.min()), np.log10(positive.max())) if positive.size else (-1, 0)
    low = np.floor(low - 0.1)
    high = max(high, low + 1)  # so that a power of ten is seen beside the strip
    lanes = [variant for variant, values in curves.items() if (values == 0).any()]
    lane = max(1, high - low) * min(0.05, 0.4 / (len(lanes) + 1))  # many of them leave most of the axis to the others
    strip = lane * (len(lanes) + 1) if lanes else 0
    powers = np.arange(low, high + 0.3, max(1, np.ceil((high - low) / (3 if which == "x" else 6))))
    ticks, labels = [10.0**power for power in powers], [f"$10^{{{int(power)}}}$" for power in powers]
    if lanes:
        paint = axes.axvspan if which == "x" else axes.axhspan
        paint(10 ** (low - strip), 10**low, color="0.92", zorder=0, linewidth=0)
        ticks = [10 ** (low - strip / 2)] + ticks[1:]  # there is no room for the one beside the strip
        labels = ["0" if which == "x" else "exactly 0"] + labels[1:]
    getattr(axes, f"set_{which}scale")("log")
    getattr(axes, f"set_{which}ticks")(ticks, labels)
    getattr(axes, f"{which}axis").set_minor_locator(mpl.ticker.NullLocator())
    getattr(axes, f"set_{which}lim")(10 ** (low - strip), 10 ** (high + 0.06 * max(1, high - low)))
    in_lane = {variant: 10 ** (low - lane * (number + 1)) for number, variant in enumerate(lanes)}
    return {variant: np.where(values == 0, in_lane.get(variant, np.nan), values) for variant, values in curves.items()}


def powers_of_two(axes: Axes, which: str, values: Sequence[int]) -> None:
    getattr(axes, f"set_{which}scale")("log", base=2)
    getattr(axes, f"set_{which}ticks")(values, [f"{int(value)}" for value in values])
    getattr(axes, f"{which}axis").set_minor_locator(mpl.ticker.NullLocator())


def powers_of_two_from_0(axes: Axes, last: float) -> None:
    """A position axis that is logarithmic from 1 on and still shows 0."""
    axes.set_xscale("symlog", base=2, linthresh=1, linscale=0.6)
    ticks = [0] + [2**power for power in range(0, 40, 3) if 2**power <= last]
    axes.set_xticks(ticks, [f"{tick}" for tick in ticks])
    axes.xaxis.set_minor_locator(mpl.ticker.NullLocator())
    axes.set_xlim(-0.15, last)
