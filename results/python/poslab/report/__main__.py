#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The page of a run: a table, schemes down, questions across, and a figure with the same rows.

What the name of the page ends with says what it is: .md (the figure as SVG beside it), .tex (as PDF beside it), .pdf, or .html: the
viewer with the file in it, which opens in a browser without poslab (results/page/page.md). Every number is read from the file, whose
texts become texts of the page and never markup.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from poslab.needed import PICTURES, RESULTS, why_not

if __name__ == "__main__":  # before what is missing is imported; the viewer alone has no pictures of Matplotlib's
    lacks = why_not("poslab report", RESULTS if any(word.endswith(".html") for word in sys.argv) else PICTURES)
    if lacks:
        sys.exit(lacks)

import h5py

from poslab.report import as_html, as_latex, as_markdown
from poslab.report.page import Page
from poslab.report.study import Study, study_of
from poslab.run_file import RunFile
from poslab.texts import printable
from poslab.vetting import kind

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = {".md": as_markdown, ".tex": as_latex, ".pdf": None, ".html": None}


def main() -> None:
    options = arguments()
    output = options.output or options.results.with_suffix(".md")
    try:
        for path in written(output):
            require_regular_or_absent(path)
            require_other(path, [given for given in (options.results, options.beside) if given])
        if output.suffix == ".html":
            write_viewer([path for path in (options.results, options.beside) if path], output)
            return
        page = Page(answering(options.results), answering(options.beside) if options.beside else None)
        write(page, study_of(page.run, output), output)
    except (ArithmeticError, AttributeError, LookupError, OSError, RecursionError, TypeError, ValueError) as problem:
        sys.exit(f"poslab report: {printable(sentence_of(problem, options))}")


def sentence_of(problem: Exception, options: argparse.Namespace) -> str:
    """With the file's name, and without the number that the system has for an error."""
    if isinstance(problem, OSError) and problem.filename:
        return of_file(problem)
    inputs = [str(path) for path in (options.results, options.beside) if path]
    # What is in a file, but not as poslab writes it, shows in errors of any kind.
    is_named = any(path in str(problem) for path in inputs)
    return str(problem) if is_named else f"{' or '.join(inputs)}: is not as poslab writes it ({type(problem).__name__}: {problem})"


def of_file(problem: OSError) -> str:
    folder = Path(problem.filename).parent
    if isinstance(problem, FileNotFoundError):
        hint = "name a results file, which poslab run writes" if folder.is_dir() else f"there is no folder {folder}"
        return f"{problem.filename}: does not exist; {hint}"
    return f"{problem.filename}: {problem.strerror}" if problem.strerror else str(problem)


def answering(path: Path) -> RunFile:
    run = RunFile(path)
    if run.answers.empty:
        sys.exit(f"poslab report: {printable(path)} answers no question: {why_no_answer(run)}")
    return run


def why_no_answer(run: RunFile) -> str:
    with h5py.File(run.current_path, "r") as file:
        is_shard = "shard" in file
    if is_shard:
        return "it is a shard, which poslab merge joins to the others"
    if run.index.empty:
        return f"none of its {run.planned_cells} cells is done; run the study again, or merge more of its shards"
    return "none of its experiments has one, or it is of an earlier poslab; run the study again"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="poslab report", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, nargs="?", metavar="FILE.h5")
    parser.add_argument("-o", "--output", type=Path, metavar="PAGE", help="FILE.md if absent")
    parser.add_argument("--beside", type=Path, metavar="OTHER.h5", help="its answers beside those of the same schemes; of one that trained otherwise, their order")
    parser.add_argument("--empty", action="store_true", help="the viewer without a file, as PAGE.html: it opens what is dropped on it")
    options = parser.parse_args()
    if options.empty and (options.results or options.beside or not options.output or options.output.suffix != ".html"):
        parser.error("--empty takes no file, and wants the page's name: poslab report --empty -o viewer.html")
    if not options.empty and not options.results:
        parser.error("which results file? or --empty, for the viewer without one")
    if options.output and options.output.suffix not in KINDS:
        parser.error(f"{printable(options.output)} ends with none of {', '.join(KINDS)}, which say what to write")
    return options


def partial_of(output: Path) -> Path:
    return output.with_suffix(output.suffix + ".new")


def written(output: Path) -> list[Path]:
    page = KINDS[output.suffix]
    return [output, partial_of(output), *([picture_of(output, name) for name in (page.FIGURE, page.LEAGUE_FIGURE)] if page else [])]


def picture_of(output: Path, name: str) -> Path:
    """Beside the page. `letters`: those of its name that no language reads as commands."""
    return output.with_name(name.format(stem=output.stem, letters=re.sub(r"[^A-Za-z0-9.-]", "-", output.stem)))


def require_regular_or_absent(path: Path) -> None:
    """Opening a FIFO would wait for ever for its reader; a device takes everything."""
    if path.exists() and not path.is_file():
        raise ValueError(f"{path} is {kind(path.stat().st_mode)}, not a regular file; name another page with -o")


def require_other(path: Path, results: list[Path]) -> None:
    if any(path == given or (path.exists() and given.exists() and path.samefile(given)) for given in results):
        raise ValueError(f"{path} holds the results that the page is made from; name another page with -o")


def write_viewer(results: list[Path], output: Path) -> None:
    partial = partial_of(output)
    partial.write_text(as_html.text([*map(RunFile, results)]))
    os.replace(partial, output)
    print(output)


def write(page: Page, study: Study, output: Path) -> None:
    from poslab.league.picture import figure as figure_of_league
    from poslab.report.figure import figure
    drawn, form = figure(page), KINDS[output.suffix]
    league = figure_of_league(page.league) if page.league and len(page.league.variants) > 1 else None
    partial = partial_of(output)
    if form is None:
        from poslab.report import as_pdf
        as_pdf.write(partial, page, study, drawn, league)
    else:
        page.league_picture = save(league, picture_of(output, form.LEAGUE_FIGURE))
        partial.write_text(form.text(page, study, save(drawn, picture_of(output, form.FIGURE))))
    os.replace(partial, output)
    print(output)


def save(drawn: Figure | None, picture: Path) -> str:
    """The name under which it lies beside the page; empty where there is nothing to draw."""
    if drawn is None:
        return ""
    drawn.savefig(picture, dpi=110, metadata={"CreationDate" if picture.suffix == ".pdf" else "Date": None})
    return picture.name


if __name__ == "__main__":
    main()
