# SPDX-License-Identifier: Apache-2.0
"""Holds `poslab identify` and `poslab import` against the code of model libraries.

    peers.py ROWS.json [FAMILY ...]     prints a row for each dump, and writes them all
    peers.py --page TRAINED.json ROWS.json ...   makes the tables of peers.md of them (trained.py, too)

Models and tables are made by the libraries' own classes; configurations are written by the library, and what import
makes of them must fit what the model does at every number. Exit code 1 if a dump is another than was expected, or
identify, which is not told, says another scheme, and the family is not among those of `KNOWN`.
"""

from __future__ import annotations

import json
import sys
import warnings
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Iterator

import transformers
from biases import BIASES
from dumps import Dump, Refused, Row, looked_at
from families import APPLIED, ROTARY
from libraries import LIBRARIES
from page import KNOWN, write_page
from rotary import dumps as rotary_dumps
from rotary import is_there
from tables import TABLES


def dumps_of(family: str) -> Iterator[Dump]:
    if family in ROTARY or family in APPLIED:
        return rotary_dumps(family) if is_there(family) else iter(())
    return (BIASES | TABLES | LIBRARIES)[family]()


def library_of(family: str) -> str:
    package = family if family in LIBRARIES else "transformers"
    return f"{package} {version(package)}"


def rows_of(family: str) -> Iterator[Row]:
    """A failure is a row, not the end."""
    library, what = library_of(family), ""
    try:
        for dump in dumps_of(family):
            what = dump.what
            yield looked_at(library, "" if family in LIBRARIES else family, dump)
    except Refused as refused:
        yield Row(library, family, what, "", False, False, problem=str(refused))
    except Exception as problem:  # of a library: whatever its code raises
        yield Row(
            library, family, what, "", False, False, problem=f"{type(problem).__name__}: {problem}".splitlines()[0]
        )


def line(row: Row) -> str:
    verdict = row.problem or (
        f"{'fits' if row.fits else 'DIFFERS'} ({row.precision}); "
        f"identify: {'' if row.is_named() else 'NOT '}{row.verdict}, {row.named[:60]}"
    )
    return f"{row.library} | {row.family} | {row.what} | {row.expected[:80]} | {verdict}"


def main() -> int:
    if sys.argv[1] == "--page":
        trained, *files = map(Path, sys.argv[2:])
        write_page([Row(**row) for file in files for row in json.loads(file.read_text())], json.loads(trained.read_text()))
        return 0
    warnings.simplefilter("ignore", FutureWarning)
    transformers.logging.set_verbosity_error()
    first = version("transformers").startswith("5")
    rows: list[Row] = []
    for family in sys.argv[2:] or [*ROTARY, *APPLIED, *BIASES, *TABLES, *(LIBRARIES if first else [])]:
        for row in rows_of(family):
            print(line(row), flush=True)
            rows.append(row)
    Path(sys.argv[1]).write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")
    return 0 if all(row.is_right() or row.family in KNOWN or row.what in KNOWN for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
