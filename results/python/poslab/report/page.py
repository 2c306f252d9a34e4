# SPDX-License-Identifier: Apache-2.0
"""What a report says of a run, whatever it is written as: the answers by variant and question, and curves to draw."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import xarray as xr

from poslab.answers import cell
from poslab.league import League, is_league, order_beside, trains
from poslab.report import league_section, order_section
from poslab.report.block import Block
from poslab.run_file import RunFile


LENGTH = {"extrapolation": "train_length", "language-model": "train_length", "length-generalisation": "largest"}
# of the other experiments: length


class Page:
    def __init__(self, run: RunFile, beside: RunFile | None = None) -> None:
        """`beside`: another run of the same questions; where it has a variant, too, a second line says what it answers, and its
        further variants come last. One that trained otherwise has no lines: they are compared task by task, and its answers, each of
        one task, may be of another one than those here."""
        self.run = run
        self.order = order_beside(run, beside)
        self.beside = Page(beside) if beside is not None and self.order is None else None
        joins = beside is not None and trains(beside) and not self.order
        self.league = League(run, beside if joins else None) if is_league(run) else None
        self.league_picture = ""  # its file, once it is drawn
        self.variants = list(dict.fromkeys(run.index.variant))
        self.names = {variant: label.short for variant, label in run.labels.items()}
        self._signs = run.signs_of_names
        self.reasons: dict[str, int] = {}  # sentence -> number of its footnote
        self.points: dict[str, dict[str, dict[str, None]]] = {}  # experiment -> what it varies beside length -> the values at which schemes are shown
        self.pictured: list[tuple[str, str]] = []  # of each panel of the figure its experiment, and what it shows
        self._rows: dict[tuple[str, str], tuple[xr.Dataset | None, str]] = {}
        answers = run.answers
        self.columns = answers.drop_duplicates("experiment")[["experiment", "heading", "unit", "legend", "column_point"]].to_dict("records")
        others = {column["experiment"]: column["column_point"] for column in self.beside.columns} if self.beside else {}
        for column in self.columns:
            if (point := others.get(column["experiment"], "")) not in ("", column["column_point"]):
                column["legend"] += f"; ‡ at {point}"
        self._answers = {(row.variant, row.experiment): row for row in answers.itertuples()}

    @property
    def cells(self) -> str:
        """How many there are: `27 cells: 26 ok, 1 failed`."""
        states = ", ".join(f"{count} {status}" for status, count in self.run.index.status.value_counts().items())
        interrupted = "" if self.run.complete else f"; interrupted: {len(self.run.index)} of {self.run.planned_cells} cells"
        return f"{len(self.run.index)} cells: {states}{interrupted}"

    def of_networks(self) -> list[Block]:
        """What is said of trained networks over tasks and seeds."""
        return [*league_section.blocks(self.league), *order_section.blocks(self.order)]

    def lines(self) -> Iterator[tuple[Page, str, str]]:
        """Lines of the table: each variant with the page whose answers stand there, and the signs behind its name."""
        beside = self.beside
        for variant in self.variants:
            yield self, variant, self._signs.get(variant, "")
            if beside and variant in beside.variants:
                yield beside, variant, "‡" + beside._signs.get(variant, "")
        if beside:
            yield from ((beside, variant, "‡" + beside._signs.get(variant, "")) for variant in beside.variants if variant not in self.variants)

    def signs_of_names(self) -> dict[str, str]:
        """Every sign behind a name, with what it means."""
        used = {sign for _, _, signs in self.lines() for sign in signs}
        pages = [page for page in (self, self.beside) if page]
        meanings = together([meanings_of_names(page.run) for page in pages])
        if self.beside:
            meanings["‡"] = f"of another run, {self.beside.run.title}"
        return {sign: meaning for sign, meaning in meanings.items() if sign in used}

    def signs_of_cells(self) -> dict[str, str]:
        """Every other sign of the table, with its meaning in a word or two."""
        return together([meanings_of_cells(page.run) for page in (self, self.beside) if page])

    def rows(self, experiment: str, variant: str) -> tuple[xr.Dataset | None, str]:
        """The good rows of a variant, at the last of its points if more than length varies, or None; with the reason
        that it was skipped or failed.
        """
        if (experiment, variant) not in self._rows:
            self._rows[experiment, variant] = self._find_rows(experiment, variant)
        return self._rows[experiment, variant]

    def _find_rows(self, experiment: str, variant: str) -> tuple[xr.Dataset | None, str]:
        length = LENGTH.get(experiment, "length")
        if experiment not in self.points:
            varies = self.run[experiment].indexes["cell"].names
            known = ("scheme", "variant", "repeat", length)
            self.points[experiment] = {name: {} for name in varies if name not in known}
        table = self.run.rows(experiment, variant=variant)
        good = table.isel(cell=table.status.to_numpy() == "ok")
        if good.sizes["cell"] == 0:
            return None, str(table.message.item(0)) if table.sizes["cell"] else ""
        for name, shown in self.points[experiment].items():
            last = longest(good, experiment)[name].to_numpy()[-1]
            values = good[name].to_numpy()
            good = good.isel(cell=(values == last) | ((values != values) & (last != last)))  # unset is NaN
            shown[word(last)] = None
        return good, ""

    def curve(self, experiment: str, measure: str, variant: str) -> xr.DataArray | None:
        """Mean over repeats of a variant's curve at its greatest length, or None."""
        rows, _ = self.rows(experiment, variant) if experiment in self.run.experiments else (None, "")
        if rows is None:
            return None
        curve = self.run.curve(measure, experiment, id=longest(rows, experiment).id.to_numpy())
        curve = curve.mean("repeat", keep_attrs=True) if "repeat" in curve.dims else curve
        return curve if curve.notnull().any() else None

    def shown_at(self, experiment: str) -> str:
        """At which values of what varies beside length schemes are shown: `heads = 4, d_model = 64`; else empty. Of the run beside
        it, too, where these are others.
        """
        points = self.points.get(experiment, {})
        here = ", ".join(f"{name} = {' or '.join(values)}" for name, values in points.items() if values)
        beside = self.beside.shown_at(experiment) if self.beside else ""
        return here + (f"; ‡ {beside}" if beside not in ("", here) else "")

    def shown(self, answer: Any, text: Callable[[str], str]) -> str:
        """What stands in the table, with the number of the note that says why, where that is needed: one for all variants with this
        reason. `text` makes texts of a file fit for the page; None was not asked.
        """
        if answer is None:
            return ""
        said = text(cell(answer))
        return f"{said} [{self.reasons.setdefault(answer.sentence, len(self.reasons) + 1)}]" if answer.needs_reason else said

    def answer(self, variant: str, experiment: str) -> Any:
        """The row of the run's answers, or None: it was not asked."""
        return self._answers.get((variant, experiment))


def meanings_of_names(run: RunFile) -> dict[str, str]:
    """The signs behind names, in full."""
    signs = run.answer_signs
    signs = signs[(signs.kind == "name") & (signs.form != "compact")]
    doubts = [("!", doubt) for doubt in run.doubts.values()]
    return together({sign: meaning} for sign, meaning in [*doubts, *zip(signs.sign, signs.sentence), *(("†", file) for file in run.weights_files)])


def meanings_of_cells(run: RunFile) -> dict[str, str]:
    """What stands in cells, in a word or two. Cells of what was not asked are empty."""
    signs, answers = run.answer_signs, run.answers
    signs = signs[(signs.kind != "name") & (signs.form != "compact") & ((signs.kind != "cell") | signs.sign.isin(answers.text))]
    return together({sign: meaning} for sign, meaning in zip(signs.sign, signs.meaning))


def together(parts: Iterable[dict[str, str]]) -> dict[str, str]:
    """Signs of all, each with every meaning that it has in one of them."""
    found: dict[str, dict[str, None]] = {}
    for part in parts:
        for sign, meaning in part.items():
            found.setdefault(sign, {})[meaning] = None
    return {sign: "; ".join(meanings) for sign, meanings in found.items()}


def word(value: Any) -> str:
    """A value of an axis as a study writes it."""
    return "unset" if value != value else str(value).lower() if isinstance(value, (bool, np.bool_)) else f"{value}"


def longest(rows: xr.Dataset, experiment: str) -> xr.Dataset:
    lengths = rows[LENGTH.get(experiment, "length")].to_numpy()
    return rows.isel(cell=lengths == lengths.max())
