# SPDX-License-Identifier: Apache-2.0
"""The section of a report on what trained networks have learnt, and keep: what it says, whatever it is written as."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import pandas as pd

from poslab.league.league import REFERENCES, League
from poslab.league.statistics import ALPHA
from poslab.report.block import Block, Items, Paragraph, Picture, Table

TITLE = "What networks learn, and what they keep"
CAPTION = "Scores of every network, by task; interquartile means with 95 % intervals, means as strokes"


def blocks(league: League | None) -> list[Block]:
    """None where there is no league; where fewer than two variants can be compared, why."""
    if league is None:
        return []
    return list(_blocks(league)) if len(league.variants) >= 2 else [Paragraph("Fewer than two schemes can be compared."), *not_compared(league)]


def _blocks(league: League) -> Iterator[Block]:
    yield Paragraph(about(league))
    yield Items(definitions(league))
    yield Paragraph("A scheme cannot be told apart from the best of its group, and differs from the best of every group before. Two others need "
                    "not differ, whatever their means, by which rows stand: one may be in a later group than another with a lower mean, whose "
                    "difference from that leader is the less sure.", is_strong=True)
    yield Paragraph(rates(league))
    yield Paragraph("What they keep, beyond the sizes that were trained on:")
    yield means(league, "beyond")
    yield Paragraph("What they learn, on these sizes; groups and differences are its own:")
    yield means(league, "trained")
    if warning := power(league, len(league.variants) - 1) or power_of_groups(league):
        yield Paragraph(warning)
    yield Picture()
    yield Paragraph("Mean scores of each task, on what was trained on / beyond it. In brackets how many networks have learnt it, where not all "
                    "have: the others count 0 beyond. The last row, where it is known, is what the tokens alone give, in whatever order; –: not known.")
    yield by_task(league)
    yield from learning(league)
    yield from not_compared(league)


def not_compared(league: League) -> Iterator[Block]:
    """What a reader may miss, and why it is missing; what trained each row."""
    if league.unused_seeds:
        yield Paragraph(f"Not used: {'seed' if len(league.unused_seeds) == 1 else 'seeds'} {', '.join(map(str, league.unused_seeds))}, which not "
                        "all of these have of every task.")
    if league.left_out:
        yield Paragraph("Not compared:")
        yield Items([f"{variant}: {why}" for variant, why in league.left_out.items()])
    yield from forms(league)
    yield from builds(league)
    if league.further:
        values = "; ".join(f"{name} {' or '.join(values)}" for name, values in league.further.items())
        yield Paragraph(f"What is beside it was made by another build, which says more of a training ({values}): where that is not the "
                        "usual value, nothing is compared with like.")
    if league.other_tasks:
        yield Paragraph(f"Not among these: {', '.join(league.other_tasks)}, asked at no larger size, or at no trained one.")


def forms(league: League) -> Iterator[Block]:
    """Which form of a scheme a row is of: its default may be another today."""
    found = [form for variant in league.variants if (form := league.form_of(variant))]
    if found:
        yield Paragraph("Of schemes that have several forms these were trained, by the version of the scheme that is named; later versions may have "
                        "other defaults and other names for them:")
        yield Items(found)


def builds(league: League) -> Iterator[Block]:
    """By what each row was trained."""
    by_size = sorted(league.builds.items(), key=lambda build: -len(build[1]))
    if len(by_size) == 1:
        yield Paragraph(f"All were trained by {by_size[0][0]}.")
    elif by_size:
        (usual, _), *others = by_size
        yield Paragraph("Trained by builds of different commits or versions, which may train otherwise:")
        yield Items([*(f"{build}: {', '.join(name_of(league, variant) for variant in variants)}" for build, variants in others),
                     f"{usual}: the others"])


def rates(league: League) -> str:
    searches = league.searches
    if not searches:
        return "All networks have the learning rate that the study gives: a search might choose others, for each scheme its own."
    chose = "one search" if searches == {1} else "searches"
    return (f"All seeds of a scheme have the learning rate that {chose} chose: what is said holds given these rates, and another search might "
            "choose others.")


def about(league: League) -> str:
    return (f"{schemes(league)}, {count(league.tasks, 'task')}, {count(league.seeds, 'seed')} of each, in pairs: a seed gives "
            f"all schemes the same sequences.{steps(league)}")


def schemes(league: League) -> str:
    """`44 schemes, of which 42 are distinct (cape is sinusoidal, query-temperature is none)`."""
    if not league.duplicates:
        return f"{len(league.variants)} schemes"
    pairs = ", ".join(f"{variant} is {first}" for variant, first in league.duplicates.items())
    return f"{len(league.variants)} schemes, of which {len(league.variants) - len(league.duplicates)} are distinct ({pairs})"


def steps(league: League) -> str:
    """What every sentence on learning is about."""
    found = sorted({int(training["steps"]) for training in map(league.training_of, league.tasks) if "steps" in training})
    if not found:
        return ""
    return (f" Each network was trained for {found[0] if len(found) == 1 else f'{found[0]} to {found[-1]}'} steps: what it has not learnt, it has "
            "not learnt within these, and every order here rests on them.")


def duplicates(league: League) -> list[str]:
    """What a row with an equals sign says."""
    return ["a row (= another): all that is measured of its networks is that of the other's, bit for bit. Here the two are one scheme, which "
            "counts twice, in groups and corrections, too."] if league.duplicates else []


def definitions(league: League) -> list[str]:
    unknown = f" The chance of {', '.join(league.of_unknown_chance)} is not known, and taken as 0." if league.of_unknown_chance else ""
    known = (f" Of {', '.join(league.of_known_best)} the best is that of the trained length: where more can be guessed of longer sequences, a "
             "score may pass 1." if league.of_known_best else "")
    return [
        "score: (x - chance) / (best - chance), 0 where its mean over sizes is below; 0 is the best constant guess, 1 the best possible, and "
        f"for a text the lowest mean loss of a scheme at the trained length.{unknown}{known}",
        "trained: over the sizes that were trained on; beyond: over larger ones. A refused size and a training that diverged count 0; "
        "beyond, so does a network that has not learnt its task; as measured is without that rule.",
        "learnt: 0.9 of the tokens right within the trained sizes, after these steps; of a text a loss below chance. The others are untaught, "
        "networks without positions, too. Solve: 0.9 of the tokens right, there and beyond; texts are not among these.",
        "means are over tasks and seeds alike; interquartile means leave out the lowest and the highest quarter, whatever their tasks, and have "
        "the 95 % interval of a bootstrap stratified by task (Agarwal et al. 2021), which is too narrow where seeds are few.",
        f"differences from {references_of(league) or 'a reference'}: means over pairs of task and seed; p is that of flipped signs, corrected "
        "for all schemes by Holm's method. Gains at one task and losses at another cancel, and make a difference less sure. Pairs in which both "
        "count the same, as a rule 0, say nothing: where so few differ that even the surest p is not below 0.05 once corrected, it says how many.",
        "groups: by the same test of every two schemes, corrected for all of these pairs, as which one is the best is seen from the same scores: "
        "a pair may be told apart there and not here.",
        "seconds: of one network by the clock. They tell the machine's load as much as the scheme's cost, and compare no schemes. The mean over "
        f"tasks of the median over seeds{', of which one has the search for the rate in it' if league.searches else ''}.", *duplicates(league)]


def count(things: Sequence[object], name: str) -> str:
    return f"{len(things)} {name}{'s' if len(things) != 1 else ''}"


def references_of(league: League) -> str:
    return " and ".join(name for name in REFERENCES if name in league.variants)


def means(league: League, kind: str) -> Table:
    """A row for each variant, by its mean of this kind."""
    columns: dict[str, Callable[[pd.Series], str]] = {"group": lambda row: f"{row.group:.0f}", "mean": lambda row: f"{row['mean']:.2f}",
                                                      "interquartile": spread}
    if kind == "beyond":
        columns |= {"as measured": lambda row: f"{row.measured:.2f}", "solve it": lambda row: share(row.solved)}
    else:
        columns |= {"solve it": lambda row: share(row.solved), "untaught": lambda row: f"{row.untaught:.0f}"}
        if league.table(kind).diverged.any():
            columns["diverged"] = lambda row: f"{row.diverged:.0f}"
    for name in REFERENCES:
        if name in league.variants:
            columns[f"over {name} (p)"] = partial(difference, reference=name, tests=len(league.variants) - 1)
    if kind == "trained":
        columns["seconds by the clock, load included"] = lambda row: duration(row.seconds)
    rows = [[name_of(league, str(variant)), *(shown(row) for shown in columns.values())] for variant, row in league.table(kind).iterrows()]
    return Table(["scheme", *columns], rows)


def name_of(league: League, variant: str) -> str:
    return league.named(variant) + (f" ‡ ({league.run_of(variant)})" if league.is_beside(variant) else "")


def spread(row: pd.Series) -> str:
    return f"{row.score:.2f} [{row.low:.2f}, {row.high:.2f}]"


def difference(row: pd.Series, reference: str, tests: int) -> str:
    value, p, differing = row[f"over {reference}"], row[f"p over {reference}"], row[f"differing from {reference}"]
    if math.isnan(value):
        return "–"
    shown = f"{value:+.2f}" if round(value, 2) else "0.00"  # +0.00 would say of which sign
    digits = 4 if p != ALPHA and round(p, 3) == ALPHA else 3  # on which side of it
    few = f", {differing:.0f} differ" if p >= ALPHA and 2.0 ** (1 - differing) * tests >= ALPHA else ""
    return f"{shown} ({p:.{digits}f}{few})" if p >= 0.001 else f"{shown} (< 0.001)"


def share(value: float) -> str:
    return "–" if math.isnan(value) else f"{100 * value:.0f} %"


def duration(seconds: float) -> str:
    return "–" if math.isnan(seconds) else f"{seconds:.3g}"


def power(league: League, tests: int) -> str:
    """Where no difference could be significant among so many tests, whatever it is."""
    pairs = len(league.tasks) * len(league.seeds)
    smallest = min(1.0, 2.0 ** (1 - pairs) * tests)
    if smallest < ALPHA:
        return ""
    return (f"With {pairs} pairs no difference can be told from chance: the smallest p is {smallest:.2g}{', corrected' if tests > 1 else ''}. More "
            "seeds, or more tasks, can.")


def power_of_groups(league: League) -> str:
    """Where all are one group, whatever they do."""
    pairs, tests = len(league.tasks) * len(league.seeds), math.comb(len(league.variants), 2)
    if 2.0 ** (1 - pairs) * tests < ALPHA:
        return ""
    return (f"With {pairs} pairs no two of so many schemes can be told apart, corrected for all {tests} of them: there is one group. Differences from "
            "a reference can be more than chance.")


def by_task(league: League) -> Table:
    trained, beyond, taught = league.by_task("trained"), league.by_task("beyond"), league.taught()
    rows = [[name_of(league, str(variant)), *(f"{trained.loc[variant, task]:.2f} / {beyond.loc[variant, task]:.2f}{learnt(taught.loc[variant, task], league)}"
                             for task in league.tasks)] for variant in beyond.index]
    guess, guess_beyond = league.without_order("trained"), league.without_order("beyond")
    if guess.notna().any():
        rows.append(["(the best guess without order)", *(f"{number(guess[task])} / {number(guess_beyond[task])}" for task in league.tasks)])
    return Table(["scheme", *league.tasks], rows)


def learnt(networks: int, league: League) -> str:
    return "" if networks == len(league.seeds) else f" ({networks:.0f})"


def number(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.2f}"


def learning(league: League) -> Iterator[Block]:
    """The rates, and where a training ended too early to say what a scheme can learn."""
    known, edges = league.rates(), league.rates_at_an_edge()
    at_an_edge = bool(edges.to_numpy().any())
    yield Paragraph("Learning rates" + ("; *: none lower, or none higher, was tried, and a better one may lie beyond:" if at_an_edge else ":"))
    yield Table(["scheme", *league.tasks], [[name_of(league, str(variant)), *("–" if math.isnan(rate) else f"{rate:.3g}{'*' if edges.loc[variant, task] else ''}"
                                                             for task, rate in row.items())] for variant, row in known.iterrows()])
    still = int(league.table("trained").still_learning.sum())
    if still:
        yield Paragraph(f"Of {still} of {len(league.variants) * len(league.tasks) * len(league.seeds)} networks the held-out loss still fell by "
                        "more than 1 % in the last fifth of the steps, also where it is all but 0: after more steps they may stand otherwise.")
