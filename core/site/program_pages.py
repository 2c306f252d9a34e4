# SPDX-License-Identifier: Apache-2.0
"""What of the site poslab itself makes: the page of its command line, and results files of small studies, opened."""

import os
import re
import subprocess
import sys
from pathlib import Path

READERS = Path(__file__).resolve().parents[2] / "results/python"
NO_BUILD = "This site was made without a build of poslab, which would have written this part; `./dev build` makes one."
EXAMPLES = {
    "quickstart": "ten encodings, six questions",
    "clock": "the matrices of codes, and how fast their planes rotate",
    "distance-profile": "the mean logit by distance, for random, equal and all-ones contents",
}


def said(program: Path, *arguments: str) -> str:
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


def command_line(program: Path | None) -> str:
    """Every command as `poslab help` tells of it."""
    page = "# The command line\n\n"
    if not program:
        return page + NO_BUILD + "\n"
    overview = said(program, "help")
    page += f"```\n{overview}```\n"
    for command in re.findall(r"^  (\w+) ", overview, re.MULTILINE):
        page += f"\n## poslab {command}\n\n```\n{said(program, 'help', command)}```\n"
    return page


def results_files(program: Path | None) -> str:
    """Sphinx knows its own pages alone: what lies beside them is linked as HTML has it."""
    page = ("# Results files in the browser\n\n"
            '<a href="viewer.html">The viewer</a> opens any results file that is dropped on it, or two side by side; '
            "nothing leaves your machine. `poslab report FILE.h5 -o page.html` makes a page with the file inside, "
            "[as described here](results/page/page.md)")
    if not program:
        return f"{page}.\n\n{NO_BUILD}\n"
    rows = "".join(f'- <a href="examples/{name}.html">{name}</a>: {sentence} '
                   f"([study](experiments/studies/{name}.toml))\n" for name, sentence in EXAMPLES.items())
    return f"{page}; these are three:\n\n{rows}"


def make_viewers(source: Path, work: Path, output: Path, program: Path | None) -> None:
    """viewer.html and, with a program, the pages of the examples, whose results are kept in `work`."""
    def report(*arguments: object) -> None:
        command = [sys.executable, "-B", "-m", "poslab.report", *map(str, arguments)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=os.environ | {"PYTHONPATH": str(READERS)})
    report("--empty", "-o", output / "viewer.html")
    if not program:
        return
    (work / "results").mkdir(exist_ok=True)
    (output / "examples").mkdir()
    for name in EXAMPLES:
        study, results = source / f"experiments/studies/{name}.toml", work / f"results/{name}.h5"
        done = subprocess.run([program, "run", study, "-o", results], stdout=subprocess.DEVNULL)
        if done.returncode != 0:
            raise SystemExit(f"site: the example {study} ended with exit code {done.returncode}")
        report(results, "-o", output / f"examples/{name}.html")
