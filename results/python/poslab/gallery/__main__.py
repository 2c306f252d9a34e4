#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A page for each scheme of a run: formula, picture, answers, traps, known models; and an index of them.

    ./dev gallery                                    in poslab's own tree, for the schemes that ship, from all-schemes.toml
    python3 -m poslab.gallery mine.h5 -o gallery     for the schemes of any run; --plugins DIR as for poslab run

What a scheme is comes from `poslab describe`, its picture from `poslab table`, its answers from the results file, its traps
from the section "Traps" of its page (--pages: FOLDER/<scheme>/<scheme>.md), if it has one. What networks with it learnt and kept
comes from a league's results (--trained). Nothing is judged here.
"""

import argparse
import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any

from poslab.gallery.page import index, page
from poslab.gallery.picture import picture
from poslab.gallery.program import Program
from poslab.gallery.trained import Trained
from poslab.league import League
from poslab.run_file import RunFile
from poslab.texts import printable

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")  # as plugins are named


def first_parameters(run: RunFile, scheme: str) -> dict[str, Any]:
    """The parameters of a scheme's first variant in the study, which the picture shows."""
    experiment = run.index[run.index.scheme == scheme].experiment.iloc[0]
    found: dict[str, Any] = json.loads(run.rows(experiment, scheme=scheme).parameters.to_numpy()[0] or "{}")
    return found


def variant_shown(run: RunFile, scheme: str) -> str:
    """The first of several variants by its name; nothing of one."""
    labels = list(dict.fromkeys(run.index[run.index.scheme == scheme].variant))
    return f"{run.labels[labels[0]].short}, " if len(labels) > 1 else ""


def traps(page_of_scheme: Path) -> str:
    """Its section "Traps"; empty where there is none."""
    _, _, rest = page_of_scheme.read_text().partition("\n## Traps\n")
    return rest.split("\n## ")[0].strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--program", default="poslab", help="poslab itself (default: the one on the PATH)")
    parser.add_argument("--plugins", action="append", default=[], metavar="DIR")
    parser.add_argument("--pages", type=Path, metavar="FOLDER", help="the schemes' own pages, <scheme>/<scheme>.md")
    parser.add_argument("--trained", type=Path, metavar="RESULTS", help="of a league, whose networks the pages report")
    parser.add_argument("--trained-page", type=Path, metavar="PAGE", help="of that league, to which the pages link")
    options = parser.parse_args()
    run, program = RunFile(options.results), Program(options.program, options.plugins)
    trainings = RunFile(options.trained) if options.trained else None
    page_of_league = os.path.relpath(options.trained_page, options.output) if options.trained_page else ""
    trained = Trained(League(trainings), trainings.title, page_of_league) if trainings else None
    for name in dict.fromkeys(run.index.scheme):
        if not SCHEME.fullmatch(name):  # it becomes the name of a page, and a path would be code that is run
            parser.error(printable(f"{options.results} has a scheme called {name!r}, which is no name of one"))
    options.output.mkdir(parents=True, exist_ok=True)
    schemes = {}
    with tempfile.TemporaryDirectory(prefix="poslab-gallery-") as scratch:
        for name in dict.fromkeys(run.index.scheme):
            scheme = schemes[name] = program.describe(name)
            table = Path(scratch) / "table.h5"
            table.unlink(missing_ok=True)
            shown_at = program.table(scheme, first_parameters(run, name), table)
            drawn = picture(table, options.output / f"{name}.png")
            own = options.pages / name / f"{name}.md" if options.pages else None
            link = os.path.relpath(own, options.output) if own and own.exists() else ""
            text = page(run, scheme, f"{drawn[0].upper()}{drawn[1:]}; {variant_shown(run, name)}{shown_at}." if drawn else "", traps(own) if link else "", link,
                        trained)
            (options.output / f"{name}.md").write_text(text)
    (options.output / "README.md").write_text(index(run, schemes, trained))


if __name__ == "__main__":
    main()
