# SPDX-License-Identifier: Apache-2.0
"""What experiments say of variants, as a results file has it."""

import numpy as np
import pandas as pd
import xarray as xr

from poslab.flags import texts_of_flags

MARKS = {"yes": "✓", "no": "✗", "partly": "~", "cannot_tell": "?", "none": ""}  # of answers, as on the terminal
NOT_RUN = "not run"
UNTRAINED = "untrained weights, as drawn at initialisation: an answer about the start of training"


def read_answers(group: xr.Dataset) -> pd.DataFrame:
    """The answers of `Run.answers`, of the group `answers`."""
    group = texts_of_flags(group)
    dimensions = [name for name in ("column", "answer_number") if name in group.dims]
    table = group.drop_dims(dimensions).to_dataframe()
    columns = group["asked heading unit legend".split()].to_dataframe().set_index("asked").assign(usual_point="")
    numbers = _first_numbers(group)
    if "of_answer" not in group:  # of files that have numbers as texts only, and a dash for none
        table["number"] = table.number.replace("–", "")
    table["silent"] = (table["mark"] == "none") & (table.number == "")
    table = _with_points(table, columns) if "state" in table else table.assign(
        state=np.where(table.silent, "nothing_to_answer", "answered"), point="")
    table = table.join(numbers)
    table["worded"] = table.index.isin(numbers.index) & table["value"].isna()
    return table.join(columns, on="experiment") if len(table) else table.assign(heading="", unit="", legend="", usual_point="")


def as_table(answers: pd.DataFrame) -> pd.DataFrame:
    """A row for each variant, a column for each question, `✓ 1.42 ± 0.03`."""
    said = [NOT_RUN if state == "not_run" else f"{MARKS[mark]} {number}".strip()
            for mark, number, state in zip(answers["mark"], answers["number"], answers["state"])]
    headings = answers.heading + [f" ({unit})" if unit else "" for unit in answers.unit]
    table = answers.assign(said=said, question=headings).pivot(index="variant", columns="question", values="said")
    return table.reindex(index=answers.variant.unique(), columns=headings.unique()).fillna("")


def _with_points(table: pd.DataFrame, columns: pd.DataFrame) -> pd.DataFrame:
    """As on the terminal: a column says at which point its numbers were measured, and a row that has another says its own."""
    named = table[table.point != ""]
    usual = named.groupby("experiment").point.agg(_usual)
    for experiment, point in usual.items():
        columns.loc[experiment, "legend"] += f"; numbers at {point}"
        columns.loc[experiment, "usual_point"] = point
    odd = (table.point != "") & (table.number != "") & (table.point != table.experiment.map(usual))
    return table.assign(number=table.number.where(~odd, table.number + " at " + table.point))


def _usual(points: pd.Series) -> str:
    """The one of most rows; of several the one that is there first with as many."""
    so_far = points.groupby(points).cumcount()
    return str(points[so_far == so_far.max()].iloc[0])


def _first_numbers(group: xr.Dataset) -> pd.DataFrame:
    """Value, error, low and high of each answer's first number, by the answer's number; empty of older files."""
    names = ["value", "error", "low", "high"]
    if "of_answer" not in group:
        return pd.DataFrame(columns=names, dtype=float)
    return group[["of_answer", *names]].to_dataframe().drop_duplicates("of_answer").set_index("of_answer")
