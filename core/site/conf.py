# SPDX-License-Identifier: Apache-2.0
"""What Sphinx is told; ./dev site runs it on the pages that make_site.py has gathered."""

import sys
from pathlib import Path
from typing import Any

import furo

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from mended import dark_colours  # noqa: E402

project = "poslab"
html_title = "poslab"
extensions = ["myst_parser"]
root_doc = "index"
source_suffix = {".md": "markdown"}
highlight_language = "none"  # a block that names no language has none
myst_heading_anchors = 6  # places within pages are named as GitHub names them
suppress_warnings = ["myst.header"]  # answers stand two levels below their page's title

pygments_style, pygments_dark_style = "default", "github-dark"  # the ones with enough contrast
html_theme = "furo"
html_theme_options = {"dark_css_variables": dark_colours(furo.THEME_PATH)}
html_static_path = [str(HERE / "theme")]
html_css_files = ["poslab.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_use_index = False
smartquotes = False


def branch_of_the_page(app: Any, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """The menu of a page opens its own branch alone: all branches on every page would be most of what is written."""
    whole = context.get("toctree")
    if whole:
        context["toctree"] = lambda **how: whole(**how | {"collapse": True})


def setup(app: Any) -> None:
    app.connect("html-page-context", branch_of_the_page, priority=400)  # before the theme asks for the menu
