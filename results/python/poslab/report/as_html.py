# SPDX-License-Identifier: Apache-2.0
"""A page of one file: the viewer that ./dev page makes of results/page, with the bytes of results files in it."""

import base64
import html
from pathlib import Path

from poslab.vetting import vet

VIEWER = Path(__file__).with_name("viewer.html")
PLACE = "<!-- data -->"  # in the viewer, where the files go


def text(results: list[Path]) -> str:
    """The viewer with these files, which are vetted and otherwise as they are; without any it opens those that are dropped on it.
    Raises ValueError for a file that is damaged or leads elsewhere.
    """
    for path in results:
        vet(path)
    before, after = VIEWER.read_text().split(PLACE)
    return before + "".join(map(script, results)) + after


def script(path: Path) -> str:
    """The bytes as base64, which has no sign that ends an element; a name becomes the value of an attribute, whatever it holds."""
    name = html.escape(path.name.encode(errors="replace").decode())
    return f'<script type="application/x-hdf5" data-name="{name}">{base64.b64encode(path.read_bytes()).decode()}</script>\n'
