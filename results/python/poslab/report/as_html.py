# SPDX-License-Identifier: Apache-2.0
"""A page of one file: the viewer that ./dev page makes of results/page, with the bytes of results files in it."""

import base64
import html
from collections.abc import Sequence
from pathlib import Path

from poslab.results_file import ResultsFile

VIEWER = Path(__file__).with_name("viewer.html")
PLACE = "<!-- data -->"  # in the viewer, where the files go


def text(runs: Sequence[ResultsFile]) -> str:
    """The viewer with the files of these runs, as they are in today's schema; without any it opens those that are dropped on it."""
    before, after = VIEWER.read_text().split(PLACE)
    return before + "".join(map(script, runs)) + after


def script(run: ResultsFile) -> str:
    """The bytes as base64, which has no sign that ends an element; a name becomes the value of an attribute, whatever it holds."""
    name = html.escape(run.path.name.encode(errors="replace").decode())
    return f'<script type="application/x-hdf5" data-name="{name}">{base64.b64encode(run.current_path.read_bytes()).decode()}</script>\n'
