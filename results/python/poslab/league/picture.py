# SPDX-License-Identifier: Apache-2.0
"""The figure of a league: a row for each variant, its means with their intervals, then every network as a dot, task by task; a
cross is one that has not learnt its task, and counts 0 beyond."""

from __future__ import annotations

import textwrap

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from poslab.league.league import League
from poslab.league.scores import KINDS
from poslab.texts import plot_text

LOOKS = {  # apart without colours, too
    "trained": {"color": "0.45", "marker": "o", "markerfacecolor": "none"},
    "beyond": {"color": "#0072b2", "marker": "o", "markerfacecolor": "#0072b2"},
}
LETTERS_PER_INCH = 18  # of a legend
MANY = 20  # rows, from which scores stand above, too
APART = {"trained": -0.18, "beyond": 0.18}  # of a row


def figure(league: League) -> Figure:
    tables = {kind: league.table(kind) for kind in KINDS}
    rows = list(tables["beyond"].index)
    whole, axes = plt.subplots(1, 1 + len(league.tasks), figsize=(3.6 + 1.7 * len(league.tasks), 1.4 + 0.23 * len(rows)),
                               sharey=True, constrained_layout=True, squeeze=False, width_ratios=[1.6] + [1] * len(league.tasks))
    means, panels = axes[0, 0], axes[0, 1:]
    for kind, look in LOOKS.items():
        table = tables[kind].loc[rows]
        y = np.arange(len(rows)) + APART[kind]
        means.hlines(y, table.low, table.high, color=look["color"], linewidth=1)
        means.plot(table.score, y, linestyle="none", markersize=4, **look)
        means.plot(table["mean"], y, linestyle="none", marker="|", markersize=6, color=look["color"])
        for task, panel in zip(league.tasks, panels):
            for row, variant in enumerate(rows):
                networks = league.networks(variant, task)
                for is_learnt, marker in ((True, look["marker"]), (False, "x")):
                    scores = networks[kind][networks.taught.astype(bool) == is_learnt].astype(float)
                    panel.plot(scores, np.full(len(scores), row + APART[kind]), linestyle="none", markersize=3, alpha=0.8, **look | {"marker": marker})
    for task, panel in zip(league.tasks, panels):
        for kind, look in LOOKS.items():
            if np.isfinite(guess := league.without_order(kind)[task]):
                panel.axvline(guess, color=look["color"], linestyle="--", linewidth=0.6)
    highest = max(1.1, *(1.05 * league.networks(variant, task)[kind].astype(float).max() for variant in rows for task in league.tasks
                         for kind in KINDS))  # who is beside may be above 1
    for panel, title in zip(axes[0], ["interquartile mean", *league.tasks]):
        _finish(panel, plot_text(title), len(rows), highest)
    groups = tables["beyond"].group
    names = [f"{league.named(variant)}{' ‡' if league.is_beside(variant) else ''}  {groups[variant]:.0f}" for variant in rows]
    means.set_yticks(range(len(rows)), list(map(plot_text, names)), fontsize=7)
    legend = ("score: 0 the best constant guess, 1 the best possible, dashed the best guess without order; ○ what it was trained on, ● beyond "
              "it, × of a network that has not learnt the task; | mean; behind a name its group")
    whole.supxlabel(textwrap.fill(legend, int(LETTERS_PER_INCH * whole.get_figwidth())), fontsize=7)
    return whole


def _finish(panel: Axes, title: str, rows: int, highest: float) -> None:
    panel.set_title(title, loc="left", fontsize=8)
    panel.set_xlim(-0.05, highest)
    panel.set_ylim(rows - 0.5, -0.5)
    panel.set_xticks([0, 0.5, 1], ["0", "½", "1"], fontsize=7)
    panel.grid(axis="x", color="0.9", linewidth=0.6)
    panel.tick_params(axis="y", length=0)
    if rows > MANY:
        panel.tick_params(axis="x", top=True, labeltop=True)
