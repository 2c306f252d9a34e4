#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The picture with which README begins, from the results of league.toml.

    /usr/bin/python3 experiments/studies/league_picture.py experiments/studies/league/league.h5

Into the working directory, where none is replaced, or the folder named last: `experiments/studies/league` renews the committed one.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "results/python"))
import matplotlib  # noqa: E402

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
import poslab  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from poslab import pictures  # noqa: E402
from poslab.league import League  # noqa: E402

# The best known of the league's schemes, by what people call them; their order is that of their scores.
SHOWN = {"none": "no positions", "sinusoidal": "sinusoidal", "learned": "learned table", "shaw": "Shaw", "transformer-xl": "Transformer-XL",
         "t5": "T5", "alibi": "ALiBi", "kerple": "KERPLE", "fire": "FIRE", "rope": "RoPE", "xpos": "xPos", "self-extend": "RoPE, Self-Extend",
         "cope": "CoPE", "fox": "forgetting (FoX)", "dape": "DAPE", "path": "PaTH"}
LOOKS = {"trained": ("at the sizes of its training", "#8C8C8C", "white", 0.16), "beyond": ("at larger sizes", "#0072B2", "#0072B2", -0.16)}


def steps(run: poslab.Run, experiment: str = "length-generalisation") -> int:
    (found,) = set(run.rows(experiment, status="ok").steps.to_numpy().tolist())
    return int(found)


def drawn(league: League, updates: int) -> Figure:
    tables = {kind: league.table(kind) for kind in LOOKS}
    names = [name for name in tables["beyond"].sort_values("score", ascending=False).index if name in SHOWN]
    figure, axes = plt.subplots(figsize=(7.4, 4.6))
    heights = pictures.rows_of(axes, [SHOWN[name] for name in names])
    for kind, (label, edge, face, above) in LOOKS.items():
        table = tables[kind].loc[names]
        axes.hlines(heights + above, table.low, table.high, color=edge, linewidth=1.6)
        axes.plot(table.score, heights + above, "o", color=edge, markerfacecolor=face, markersize=5, label=label)
    axes.set(xlim=(-0.03, 1.03), xlabel="score: 0 is the best constant guess, 1 the best possible")
    axes.set_xticks(np.linspace(0, 1, 6))
    axes.set_title(f"What a small network has learnt, and what it keeps on larger problems, by positional encoding\n{len(league.tasks)} tasks, "
                   f"{len(league.seeds)} networks for each, {updates:,} training steps; lines: 95 % intervals; {len(names)} of "
                   f"{len(league.variants)} schemes", fontsize=8.5)
    figure.text(0.01, -0.035, f"{updates:,} steps are few: RoPE learns one of the tasks, recall, only after them. This is not the last word on any "
                "scheme.", fontsize=7.5, color="0.3")
    pictures.legend_below(axes, ncol=2)
    return figure


def main(results: str, folder: str | None = None) -> None:
    pictures.use_paper_style()
    run = poslab.open(results)
    pictures.save(drawn(run.league(), steps(run)), "league.png", folder)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
