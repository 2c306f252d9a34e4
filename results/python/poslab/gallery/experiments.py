#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The tables that experiments' pages have of what experiments declare, written anew: on each page, <id>/<id>.md, its axes and
measures, and in experiments.md all experiments.

    ./dev tables                                                  in poslab's own tree
    python3 -m poslab.gallery.experiments FOLDER --program POSLAB
"""

import argparse
import re
from pathlib import Path
from typing import Any

from poslab.gallery.declared import with_tables
from poslab.gallery.program import Program

HEAD = """# The experiments and their questions

One row for each experiment of `poslab list`, made by `./dev tables`. The question is that of `poslab describe ID`; the page
has axes, measures, known answers and sources. Every experiment also has the axes `d_model` and `heads`. A cell to which an
experiment does not apply is skipped with a sentence.

| experiment | question | applies to |
|---|---|---|
"""
APPLIES = re.compile(r"^\*Applies to (.+)\.\*$", re.MULTILINE)


def page_of(experiment: dict[str, Any], pages: Path) -> Path:
    name: str = experiment["id"]
    return pages / name / f"{name}.md"


def experiments_table(experiments: list[dict[str, Any]], pages: Path) -> str:
    """`experiments` as `poslab list experiments --json` has them; what they apply to is said by their pages."""
    rows = []
    for experiment in experiments:
        page = page_of(experiment, pages)
        found = APPLIES.search(page.read_text())
        if not found:
            raise ValueError(f"{page} has no line '*Applies to ... .*'")
        name = experiment["id"]
        rows.append(f"| [{name}]({name}/{name}.md) | {experiment['question']} | {found[1]} |\n")
    return HEAD + "".join(rows)


def texts(experiments: list[dict[str, Any]], pages: Path) -> dict[Path, str]:
    """Every page that has such tables, as it is to be."""
    found = {pages / "experiments.md": experiments_table(experiments, pages)}
    for experiment in experiments:
        page = page_of(experiment, pages)
        found[page] = with_tables(page.read_text(), experiment)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="of the experiments' pages")
    parser.add_argument("--program", default="poslab", help="poslab itself (default: the one on the PATH)")
    options = parser.parse_args()
    try:
        for page, text in texts(Program(options.program, []).experiments(), options.folder).items():
            page.write_text(text)
    except (OSError, ValueError) as problem:
        raise SystemExit(f"tables: {problem}") from None


if __name__ == "__main__":
    main()
