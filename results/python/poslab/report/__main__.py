#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The page of a run: one table, schemes down, verdicts across, and one figure with the same rows.

    PYTHONPATH=results/python python3 -m poslab.report results/runs/all-schemes.h5 -o experiments/studies/all-schemes.md

Every number is read from the file. Texts of the file go through `poslab.markdown`, or `poslab.plot_text` in the figure.
"""

import argparse
import os
import shlex
from pathlib import Path
from urllib.parse import quote

import poslab
from poslab import markdown
from poslab.report.figure import PANELS, figure, pictured
from poslab.report.page import Page, code
from poslab.report.table import legend, table


def text(page, study, picture):
    body = table(page)
    notes = "\n".join(f"{number}. {markdown(reason)}" for reason, number in page.reasons.items())
    counts = page.run.index.status.value_counts()
    states = ", ".join(f"{count} {markdown(status)}" for status, count in counts.items())
    source = f"[{markdown(study)}]({quote(study)}) ({len(page.run.index)} cells: {states})"
    shown = f"""

![The same rows: {", ".join(PANELS[experiment][0] for experiment in pictured(page))}]({quote(picture)})

Grey: the experiment does not apply, or the curve has no number there.""" if picture else ""
    again = f"poslab run {shlex.quote(study)}"
    return f"""# {markdown(page.run.title)}

Made by `poslab.report` from the results of {source}. A row again, with
every measure and curve behind it: {code(f"{again} --only <scheme>")}; all of them: {code(again)}.

{body}

\\* untrained weights, as drawn at initialisation: a verdict on these numbers is about the start of training.

{legend(page)}

Why there is no number:

{notes or "Nothing was skipped."}{shown}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True, help="the page; its picture lies beside it")
    options = parser.parse_args()
    page = Page(poslab.open(options.results))
    picture, drawn = options.output.with_suffix(".png"), figure(page)
    if drawn:
        drawn.savefig(picture, dpi=110, metadata={"Software": None})
    partial = options.output.with_suffix(".md.new")
    partial.write_text(text(page, options.results.stem + ".toml", picture.name if drawn else ""))
    os.replace(partial, options.output)


if __name__ == "__main__":
    main()
