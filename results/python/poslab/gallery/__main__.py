#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A page for each scheme of a run: formula, picture, answers, traps, known models; and an index of them.

    ./dev gallery                                    in poslab's own tree, for the schemes that ship, from all-schemes.toml
    python3 -m poslab.gallery mine.h5 -o gallery     for the schemes of any run; --plugins DIR as for poslab run

What a scheme is comes from `poslab describe`, its picture from `poslab table`, its answers from the results file, its traps
from the section "Traps" of its page (--pages: FOLDER/<scheme>/<scheme>.md), if it has one. Nothing is judged here.
"""

import argparse
import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import poslab
from poslab.gallery.experiments import experiments_table
from poslab.gallery.page import index, page
from poslab.gallery.picture import picture
from poslab.run import Run

WIDTH, HEADS, POSITIONS, GRID = 64, 4, "0:64", "8x8"


class Program:
    """poslab itself, and where it looks for schemes."""

    def __init__(self, path: str, plugins: list[str]) -> None:
        self.path, self.plugins = path, [word for folder in plugins for word in ("--plugins", folder)]

    def describe(self, scheme: str) -> dict[str, Any]:
        done = self.call("describe", scheme, "--json")
        described: dict[str, Any] = json.loads(done.stdout)
        return described

    def experiments(self) -> list[dict[str, Any]]:
        listed: list[dict[str, Any]] = json.loads(self.call("list", "experiments", "--json").stdout)["experiments"]
        return listed

    def table(self, scheme: dict[str, Any], parameters: dict[str, Any], file: Path) -> str:
        """Writes the arrays of a variant at the first positions; says of what, in words."""
        default = {parameter["name"]: parameter["default"] for parameter in scheme["parameters"]}
        settings = {name: value for name, value in parameters.items() if value is not None and value != default[name]}
        words = [word for name, value in settings.items() for word in ("--set", f"{name}={as_text(value)}")]
        on_grid = scheme["variant"].get("least_axes", scheme["least_axes"]) > 1
        words += ["--grid", GRID] if on_grid else ["--positions", POSITIONS]
        self.call("table", scheme["id"], *words, "--d-model", WIDTH, "--heads", HEADS, "-o", file)
        return f"a grid of {GRID}" if on_grid else "64 positions from 0"

    def call(self, *words: object) -> subprocess.CompletedProcess[str]:
        done = subprocess.run([self.path, *map(str, words), *self.plugins], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"{self.path} {' '.join(map(str, words))} ended with {done.returncode}: {done.stderr}")
        return done


def as_text(value: Any) -> str:
    """A parameter as --set wants it."""
    if isinstance(value, list):
        return ",".join(map(json.dumps, value))
    return value if isinstance(value, str) else json.dumps(value)


def first_parameters(run: Run, scheme: str) -> dict[str, Any]:
    """The parameters of a scheme's first variant in the study, which the picture shows."""
    experiment = run.index[run.index.scheme == scheme].experiment.iloc[0]
    found: dict[str, Any] = json.loads(run.rows(experiment, scheme=scheme).parameters.to_numpy()[0] or "{}")
    return found


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
    parser.add_argument("--experiments", type=Path, metavar="FOLDER", help="the experiments' pages; renews experiments.md there")
    options = parser.parse_args()
    run, program = poslab.open(options.results), Program(options.program, options.plugins)
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
            text = page(run, scheme, f"{drawn[0].upper()}{drawn[1:]}; {shown_at}." if drawn else "", traps(own) if link else "", link)
            (options.output / f"{name}.md").write_text(text)
    (options.output / "README.md").write_text(index(run, schemes))
    if options.experiments:
        (options.experiments / "experiments.md").write_text(experiments_table(program.experiments(), options.experiments))


if __name__ == "__main__":
    main()
