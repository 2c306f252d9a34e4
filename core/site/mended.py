# SPDX-License-Identifier: Apache-2.0
"""What Debian's furo leaves to a server, made to work from the disk, and what the pages lack for those who read by keyboard
or ear."""

import re
from pathlib import Path

NORMALIZE = "/javascript/normalize.css/normalize.css"  # a path of Debian's web servers, below /usr/share
KEYS = ('tabindex="0" onkeydown="if (event.key === \'Enter\' || event.key === \' \') '
          '{ event.preventDefault(); this.click() }"')  # a menu opens by key, too
FOR_EVERYBODY = (
    ('<aside class="sidebar-drawer">', '<aside class="sidebar-drawer" aria-label="Site">'),
    ('<aside class="toc-drawer', '<aside aria-label="On this page" class="toc-drawer'),
    ('<div class="content-icon-container">', '<div role="navigation" aria-label="View" class="content-icon-container">'),
    ('<label class="nav-overlay-icon', f'<label {KEYS} class="nav-overlay-icon'),
    ('<label class="toc-overlay-icon', f'<label {KEYS} class="toc-overlay-icon'),
    ('<label class="overlay', '<label aria-hidden="true" class="overlay'),  # the buttons do the same
    ('<p class="caption" role="heading">', '<p class="caption" role="heading" aria-level="2">'),
    ('<pre>', '<pre tabindex="0">'),  # what scrolls can be reached
    ('<div class="table-wrapper', '<div tabindex="0" class="table-wrapper'),
    ('<th class="head"><p></p></th>', '<td></td>'),  # Markdown wants a row of headings where there are none
    ('<th></th>', '<td></td>'),
    ('<div id="search-results">', '<h1 class="visually-hidden">Search</h1><div id="search-results">'),
)


def dark_colours(theme: Path) -> dict[str, str]:
    """They are lost where furo.css means those who prefer the dark, and are there for those who choose it."""
    css = (theme / "static/styles/furo.css").read_text()
    chosen = re.search(r'body\[data-theme="?dark"?\]\s*{([^{}]*?--[^{}]*?)(?:}|html)', css)
    return dict(re.findall(r"--([\w-]+):\s*([^;]+)", chosen[1])) if chosen else {}


def mend(site: Path) -> None:
    static = site / "_static"
    style, normalize = static / "styles/furo.css", Path("/usr/share" + NORMALIZE)
    if f"@import url({NORMALIZE});" in style.read_text() and normalize.is_file():
        style.write_text(style.read_text().replace(f"@import url({NORMALIZE});", normalize.read_text()))
    script, imported = static / "scripts/furo.js", 'import Gumshoe from "./gumshoe-patched.js";'
    if imported in script.read_text():  # browsers import nothing from the disk
        script.write_text(script.read_text().replace(imported, (static / "scripts/gumshoe-patched.js").read_text()))
    options = static / "documentation_options.js"  # what surrounds a word is fetched, where there is something that serves it
    options.write_text(options.read_text().replace("SUMMARY: true", 'SUMMARY: location.protocol !== "file:"'))
    for page in site.rglob("*.html"):
        text = page.read_text()
        for said, better in FOR_EVERYBODY:
            text = text.replace(said, better)
        page.write_text(text)
