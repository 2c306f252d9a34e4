# SPDX-License-Identifier: Apache-2.0
"""The table of all experiments: their questions from the program, what they apply to from their own pages."""

import re
from pathlib import Path
from typing import Any

HEAD = """# The experiments and their questions

One row for each experiment of `poslab list`, made by `./dev gallery`. The question is that of `poslab describe ID`; the page
has definitions, known answers and sources. A cell to which an experiment does not apply is skipped with a sentence.

| experiment | question | applies to |
|---|---|---|
"""
APPLIES = re.compile(r"^\*Applies to (.+)\.\*$", re.MULTILINE)


def experiments_table(experiments: list[dict[str, Any]], pages: Path) -> str:
    """`experiments` as `poslab list experiments --json` has them; their pages are <id>/<id>.md in the folder `pages`."""
    rows = []
    for experiment in experiments:
        name = experiment["id"]
        page = Path(pages) / name / f"{name}.md"
        found = APPLIES.search(page.read_text())
        if not found:
            raise SystemExit(f"{page} has no line '*Applies to ... .*'")
        rows.append(f"| [{name}]({name}/{name}.md) | {experiment['question']} | {found[1]} |\n")
    return HEAD + "".join(rows)
