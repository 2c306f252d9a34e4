# SPDX-License-Identifier: Apache-2.0
"""The table of answers as a results file has it: the program makes its texts, signs and sentences, and nothing is decided here."""

from typing import Any

import pandas as pd
import xarray as xr

from poslab.flags import texts_of_flags

MARKS = {"yes": "✓", "no": "✗", "partly": "~", "cannot_tell": "?", "none": ""}  # of answers, as on the terminal


def read_answers(group: xr.Dataset) -> pd.DataFrame:
    """The answers of `Run.answers`, of the group `answers`."""
    group = texts_of_flags(group)
    table = group.drop_dims([name for name in group.dims if name != "answer"]).to_dataframe()
    numbers = group[["answer_index", "value", "error", "low", "high"]].to_dataframe().drop_duplicates("answer_index").set_index("answer_index")
    columns = group[["asked", "heading", "unit", "legend", "column_point", "describes"]].to_dataframe().set_index("asked")
    return table.join(numbers).merge(columns, how="left", left_on="experiment", right_index=True)


def as_table(answers: pd.DataFrame) -> pd.DataFrame:
    """A row for each variant, a column for each question, `✓ 1.42 ± 0.03`."""
    headings = answers.heading + [f" ({unit})" if unit else "" for unit in answers.unit]
    said = [cell(answer) for answer in answers.itertuples()]
    table = answers.assign(said=said, question=headings).pivot(index="variant", columns="question", values="said")
    return table.reindex(index=answers.variant.unique(), columns=headings.unique()).fillna("")


def cell(answer: Any) -> str:
    """What stands in the table, of a row of `Run.answers`."""
    return f"{answer.sign} {answer.text}".strip()
