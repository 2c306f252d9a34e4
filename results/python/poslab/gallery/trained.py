# SPDX-License-Identifier: Apache-2.0
"""What a scheme's networks learnt and what they kept, on its page of a gallery, and all schemes' in its index."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

import pandas as pd

from poslab.league import League
from poslab.report.league_section import count, name_of, schemes, share, spread, steps
from poslab.texts import markdown

TITLE = "After training"


@dataclass(frozen=True)
class Trained:
    """The league of a run, and where a page says how its networks were trained; empty if none does."""

    league: League
    title: str
    page: str = ""

    @property
    def where(self) -> str:
        return f"[{markdown(self.title)}]({quote(self.page)})" if self.page else markdown(self.title)


def section(trained: Trained, scheme: str) -> list[str]:
    """What stands on the scheme's page; nothing where the league has not heard of it."""
    scores = trained.league.scores
    variants = list(dict.fromkeys(scores.variant[scores.scheme == scheme]))
    if not variants:
        return []
    league = trained.league
    lines = ["", f"## {TITLE}", "",
             f"{trained.where}: {count(league.tasks, 'task')}, {count(league.seeds, 'seed')} of each. A score is 0 for the best constant guess and 1 for the "
             "best possible, on the sizes that were trained on and on larger ones; a network that has not learnt a task (0.9 of the tokens right) keeps 0 of it."
             f"{steps(league)}"]
    for variant in variants:
        lines += ["", f"### {markdown(variant)}, trained", ""]
        if variant in league.left_out:
            lines += [f"Not compared: {markdown(league.left_out[variant])}."]
        else:
            lines += ["| task | learnt | kept beyond | solve it | solve it beyond | learning rate |", "|---|---|---|---|---|---|",
                      *rows(league, variant), "", *notes(league, variant), places(league, variant)]
    return lines


def notes(league: League, variant: str) -> Iterator[str]:
    """Which form of the scheme was trained, and whose networks these are besides."""
    if form := league.form_of(variant):
        yield f"Trained was {markdown(form)}. Later versions may have another default."
        yield ""
    first = league.duplicates.get(variant)
    others = [first] if first else [other for other, one in league.duplicates.items() if one == variant]
    if others:
        yield f"All that is measured of these networks is that of {markdown(' and of '.join(others))}, bit for bit: here it is one scheme."
        yield ""


def rows(league: League, variant: str) -> Iterator[str]:
    for task, row in league.tasks_of(variant).iterrows():
        yield (f"| {markdown(str(task))} | {row.trained:.2f} | {row.beyond:.2f} | {share(row.solved)} | {share(row.solved_beyond)} | "
               f"{'–' if math.isnan(row.rate) else f'{row.rate:.3g}'} |")
    means = [league.table(kind).loc[variant] for kind in ("trained", "beyond")]
    yield f"| mean | {' | '.join(format(row['mean'], '.2f') for row in means)} | | | |"
    yield f"| interquartile mean | {' | '.join(spread(row) for row in means)} | | | |"


def places(league: League, variant: str) -> str:
    trained, beyond = place(league.table("trained"), variant), place(league.table("beyond"), variant)
    return f"Among {schemes(league)} it is in group {trained} by what it learnt, {beyond} by what it kept (1 is the best; it differs from the best of each group before; groups are made by means)."


def place(table: pd.DataFrame, variant: str) -> str:
    return f"{table.group[variant]:.0f} of {table.group.max():.0f}"


def index(trained: Trained, pages: set[str]) -> list[str]:
    """A row for each scheme that is compared, best first; those of `pages` with a link."""
    league = trained.league
    if len(league.variants) < 2:
        return []
    learnt, kept = league.table("trained"), league.table("beyond")
    scheme_of = dict(zip(league.scores.variant, league.scores.scheme))
    lines = [f"## {TITLE}", "",
             f"{trained.where}: {markdown(schemes(league))}; scores (0 the best constant guess, 1 the best possible) over {count(league.tasks, 'task')} and {count(league.seeds, 'seed')}: "
             "their means, by which groups are made, and interquartile means with 95 % intervals. A scheme cannot be told apart from the best of its group, and differs from the best of each before."
             f"{steps(league)}", "",
             "| scheme | group | mean | kept beyond | group | mean | learnt |", "|---|---|---|---|---|---|---|"]
    for variant in map(str, kept.index):
        shown = markdown(name_of(league, variant))
        name = f"[{shown}]({quote(scheme_of[variant])}.md)" if scheme_of[variant] in pages else shown
        lines.append(f"| {name} | {kept.group[variant]:.0f} | {kept['mean'][variant]:.2f} | {spread(kept.loc[variant])} | "
                     f"{learnt.group[variant]:.0f} | {learnt['mean'][variant]:.2f} | {spread(learnt.loc[variant])} |")
    return [*lines, ""]
