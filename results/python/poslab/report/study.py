# SPDX-License-Identifier: Apache-2.0
"""The study that a results file says it is of, as a page beside or elsewhere names it."""

import os
from dataclasses import dataclass
from pathlib import Path

from poslab.run_file import RunFile


@dataclass(frozen=True)
class Study:
    """Its file's name, with the way from the page where the file is there (`link`, else empty)."""

    name: str
    link: str = ""


def study_of(run: RunFile, page: Path) -> Study:
    """Looked for beside the page, beside the results, and where the run was told it was."""
    told = Path(str(run.provenance.get("study_path", "")) or run.path.stem + ".toml")
    for place in (page.parent / told.name, run.path.parent / told.name, told):
        if place.is_file():
            link = os.path.relpath(place, page.parent)
            return Study(link, link)
    return Study(told.name)
