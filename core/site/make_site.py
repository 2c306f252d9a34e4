# SPDX-License-Identifier: Apache-2.0
"""build/site from the Markdown that stands beside the code: gathers the pages, lets Sphinx make them, checks the links.

    make_site.py --source . --work build/site-work --output build/site [--program build/release/bin/poslab]
"""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

import check_site
import program_pages
from gather import Gathering
from mended import mend

HERE = Path(__file__).resolve().parent
WARNING = re.compile(r"^(?P<file>[^:]+?)(?::(?P<line>\d+))?: (?:WARNING|ERROR): (?P<said>.*)$")
NOT_FOUND = re.compile(r"(?:reference target not found|image file not readable): (.*)$")


def sphinx(pages: Path, work: Path, output: Path) -> list[str]:
    """The pages as HTML; what Sphinx warns of, a line each."""
    warnings = work / "warnings"
    command = [sys.executable, "-m", "sphinx", "-q", "-j", "auto", "-b", "html", "-c", HERE, "-w", warnings,
               "-d", work / "doctrees", pages, output]
    done = subprocess.run(list(map(str, command)), stdout=sys.stderr, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise SystemExit(f"site: Sphinx ended with exit code {done.returncode}\n{done.stderr}")
    return [re.sub(r"\x1b\[[\d;]*m", "", line) for line in warnings.read_text().splitlines() if line]


def placed(gathering: Gathering, page: Path, line: str, said: str, target: str) -> str:
    """A fault of a page, in the repository's file, on the line on which the target is first written."""
    origin = gathering.origin_of(page)
    text = (gathering.source / origin).read_text() if page in gathering.origins else ""
    written = re.compile(rf"[(\"']{re.escape(target)}[)\"'\s]")
    lines = [str(number) for number, one in enumerate(text.splitlines(), 1) if written.search(one)]
    return f"{origin}:{lines[0] if lines else line}: {said}: {target}"


def warned(gathering: Gathering, warning: str) -> str:
    parts = WARNING.match(warning)
    if not parts:
        return warning
    page, line, missing = Path(parts["file"]), parts["line"] or "1", NOT_FOUND.search(parts["said"])
    if missing:
        return placed(gathering, page, line, check_site.LEADS_NOWHERE, missing[1])
    return f"{gathering.origin_of(page)}:{line}: {parts['said']}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--source", type=Path, required=True, help="the repository")
    parser.add_argument("--work", type=Path, required=True, help="a folder for what is gathered")
    parser.add_argument("--output", type=Path, required=True, help="the folder of the site")
    parser.add_argument("--program", type=Path, help="poslab, for the command line and the examples")
    arguments = parser.parse_args()
    source, work, output = arguments.source.resolve(), arguments.work.resolve(), arguments.output.resolve()
    work.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(output, ignore_errors=True)
    gathering = Gathering(source, work / "pages")
    program = arguments.program.resolve() if arguments.program else None
    gathering.run({"command-line.md": program_pages.command_line(program),
                   "results-files.md": program_pages.results_files(program)})
    problems = [warned(gathering, warning) for warning in sphinx(work / "pages", work, output)]
    mend(output)
    program_pages.make_viewers(source, work, output, program)
    found = check_site.check(output)
    problems += [placed(gathering, work / "pages" / Path(fault.page).with_suffix(".md"), "1", fault.said, fault.target)
                 for fault in found.faults]
    for problem in dict.fromkeys(problems):
        print(f"site: {problem}", file=sys.stderr)
    print(f"site: {found.pages} pages, {found.links} links that lead somewhere; not fetched, as they are on other hosts:")
    for address in sorted(found.external):
        print(f"  {address}")
    print(output / "index.html")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
