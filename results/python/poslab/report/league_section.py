# SPDX-License-Identifier: Apache-2.0
"""The section of a report on what trained networks have learnt, and keep: what it says, whatever it is written as."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from poslab.league.league import REFERENCES, League
from poslab.league.statistics import ALPHA

TITLE = "What networks learn, and what they keep"
CAPTION = "Scores of every network, by task; means with 95 % intervals"


@dataclass(frozen=True)
class Paragraph:
    text: str
    is_strong: bool = False


@dataclass(frozen=True)
class Table:
    head: list[str]
    rows: list[list[str]]


@dataclass(frozen=True)
class Items:
    texts: list[str]


@dataclass(frozen=True)
class Picture:
    """Where the figure stands."""


Block = Paragraph | Table | Items | Picture


def blocks(league: League | None) -> list[Block]:
    """None where fewer than two variants can be compared. Their texts are plain: names of variants and tasks are a file's."""
    return list(_blocks(league)) if league is not None and len(league.variants) >= 2 else []


def _blocks(league: League) -> Iterator[Block]:
    yield Paragraph(about(league))
    yield Paragraph("Schemes of one group cannot be told apart from its best; the order within a group means nothing.", is_strong=True)
    yield Paragraph("All seeds of a scheme have the learning rate that one search chose: what is said holds given these rates, and another "
                    "search might choose others.")
    yield means(league)
    if warning := power(league):
        yield Paragraph(warning)
    yield Picture()
    yield Paragraph("Mean scores of each task, on what was trained on / beyond it:")
    yield by_task(league)
    yield Paragraph("Learning rates:")
    yield rates(league)
    if league.left_out:
        yield Paragraph("Not compared:")
        yield Items([f"{variant}: {why}" for variant, why in league.left_out.items()])
    if league.further:
        values = "; ".join(f"{name} {' or '.join(values)}" for name, values in league.further.items())
        yield Paragraph(f"What is beside it was made by another build, which says more of a training ({values}): where that is not the "
                        "usual value, nothing is compared with like.")
    if league.other_tasks:
        yield Paragraph(f"Not among these: {', '.join(league.other_tasks)}, asked at no larger size.")


def about(league: League) -> str:
    unknown = f" The chance of {', '.join(league.of_unknown_chance)} is not known, and taken as 0." if league.of_unknown_chance else ""
    return (f"{len(league.variants)} schemes, {count(league.tasks, 'task')}, {count(league.seeds, 'seed')} of each, in pairs: a seed gives "
            "all schemes the same sequences. A score is (x - chance) / (best - chance), 0 where that is below: 0 is guessing, 1 the best "
            f"possible, and for a text the lowest mean loss of a scheme at the trained length.{unknown} Trained: over the sizes up to the "
            "largest trained one. Beyond: over larger ones; a network that has not learnt what it was trained on, a refused size and a "
            "training that diverged count 0 there. Means are over tasks and seeds alike; interquartile means leave out the lowest and the "
            "highest quarter, and have the 95 % interval of a bootstrap stratified by task (Agarwal et al. 2021), which is too narrow where "
            f"seeds are few. Differences from {references_of(league) or 'a reference'} are means over pairs of task and seed; p is that of "
            "flipped signs, corrected for all schemes by Holm's method. Times are by the clock, with whatever else the machine did.")


def count(things: Sequence[object], name: str) -> str:
    return f"{len(things)} {name}{'s' if len(things) != 1 else ''}"


def references_of(league: League) -> str:
    return " and ".join(name for name in REFERENCES if name in league.variants)


def means(league: League) -> Table:
    trained, beyond = league.table("trained"), league.table("beyond")
    references = [name for name in REFERENCES if name in league.variants]
    head = ["group", "scheme", "beyond", "interquartile", "trained", "interquartile", "group, trained", "solve it", "solve beyond", "untaught", "diverged",
            *[f"over {name} beyond (p)" for name in references], "time"]
    rows = []
    for variant, row in beyond.iterrows():
        other = trained.loc[variant]
        over = [difference(row, name) for name in references]
        rows.append([f"{row.group:.0f}", name_of(league, str(variant)), f"{row['mean']:.2f}", spread(row), f"{other['mean']:.2f}", spread(other),
                     f"{other.group:.0f}", share(other.solved), share(row.solved), f"{row.untaught:.0f}", f"{row.diverged:.0f}", *over,
                     duration(row.seconds)])
    return Table(head, rows)


def name_of(league: League, variant: str) -> str:
    runs = league.scores.of.unique()
    own = league.scores.of[league.scores.variant == variant].iloc[0]
    return variant + (f" ‡ ({own})" if len(runs) > 1 and own != runs[0] else "")


def spread(row: pd.Series) -> str:
    return f"{row.score:.2f} [{row.low:.2f}, {row.high:.2f}]"


def difference(row: pd.Series, reference: str) -> str:
    value, p = row[f"over {reference}"], row[f"p over {reference}"]
    shown = f"{round(value, 2) + 0.0:+.2f}"  # -0.00 would be no number
    return "–" if math.isnan(value) else f"{shown} ({p:.3f})" if p >= 0.001 else f"{shown} (< 0.001)"


def share(value: float) -> str:
    return "–" if math.isnan(value) else f"{100 * value:.0f} %"


def duration(seconds: float) -> str:
    return "–" if math.isnan(seconds) else f"{seconds / 60:.0f} min"


def power(league: League) -> str:
    """Where no difference could be significant, whatever it is."""
    pairs, tests = len(league.tasks) * len(league.seeds), len(league.variants) - 1
    smallest = min(1.0, 2.0 ** (1 - pairs) * tests)
    if smallest < ALPHA:
        return ""
    return (f"With {pairs} pairs no difference can be told from chance: the smallest p is {smallest:.2g}, corrected. More seeds, or more tasks, "
            "can.")


def by_task(league: League) -> Table:
    trained, beyond = league.by_task("trained"), league.by_task("beyond")
    rows = [[str(variant), *(f"{trained.loc[variant, task]:.2f} / {beyond.loc[variant, task]:.2f}" for task in league.tasks)]
            for variant in beyond.index]
    return Table(["scheme", *league.tasks], rows)


def rates(league: League) -> Table:
    rows = [[str(variant), *("–" if math.isnan(rate) else f"{rate:.3g}" for rate in row)] for variant, row in league.rates().iterrows()]
    return Table(["scheme", *league.tasks], rows)
