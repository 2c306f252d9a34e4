# SPDX-License-Identifier: Apache-2.0
"""What a report says of the order of schemes beside that of a run which trained them otherwise."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from poslab.league.order import Order
from poslab.league.scores import KINDS
from poslab.report.block import Block, Items, Paragraph, Table
from poslab.report.league_section import count, power

NAMES = {"trained": "what was trained on", "beyond": "what lies beyond"}


def blocks(order: Order | None) -> list[Block]:
    return list(_blocks(order)) if order is not None else []


def _blocks(order: Order) -> Iterator[Block]:
    others = "; ".join(f"{name} {' or '.join(here)} here, {' or '.join(there)} there" for name, (here, there) in order.differs.items())
    yield Paragraph("Does the order of schemes hold?", is_strong=True)
    yield Paragraph(f"Beside the other run, which trained {listed(order.here.tasks)} otherwise ({others}), the "
                    f"{len(order.here.variants)} schemes that both have. Mean scores there → here, on what was trained on / beyond it; of a text "
                    "the best scheme there is 1, in both:")
    yield scores(order)
    yield Items([how_it_holds(order, kind) for kind in KINDS])
    yield Paragraph("Kendall's tau (tau-b) is 1 for the same order of mean scores and 0 for unrelated ones. A pair is told apart where signs of "
                    "its differences, flipped, reach them with p < 0.05, for each pair alone: of pairs that do not differ, at most one in twenty "
                    "is. Whoever was chosen for being first or last there will be less so here, by chance alone.")
    if warning := power(order.there, 1):
        yield Paragraph(warning)
    for names, where in ((order.only_here, "here"), (order.only_there, "there")):
        if names:
            yield Paragraph(f"Compared only {where}: {', '.join(names)}.")


def scores(order: Order) -> Table:
    tables = {kind: order.scores(kind) for kind in KINDS}
    rows = []
    for variant in tables["beyond"].index:
        there, here = ({task: " / ".join(f"{tables[kind].loc[variant, (task, where)]:.2f}" for kind in KINDS) for task in order.here.tasks}
                       for where in ("there", "here"))
        rows.append([str(variant), *(f"{there[task]} → {here[task]}" for task in order.here.tasks)])
    return Table(["scheme", *order.here.tasks], rows)


def how_it_holds(order: Order, kind: str) -> str:
    tau, apart, turned, surely = order.tau(kind), order.told_apart(kind), order.turned(kind), order.surely_turned(kind)
    known = "no order there or here" if math.isnan(tau) else f"tau {tau:.2f}"
    kept = f"of {count(apart, 'pair')} told apart there, {len(apart) - len(turned)} in the same order here" if apart else "no pair was told apart there"
    sure = f"; the other way round here, more than chance: {named(surely)}" if surely else ""
    unsure = f"; no longer in it, within chance: {named([pair for pair in turned if pair not in surely])}" if len(turned) > len(surely) else ""
    return f"{NAMES[kind]}: {known}; {kept}{sure}{unsure}"


def listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def named(pairs: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{better} and {worse}" for better, worse in pairs)
