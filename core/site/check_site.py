# SPDX-License-Identifier: Apache-2.0
"""Reads a folder of pages as a browser would: every link within it finds its file and its place there, and nothing is
loaded from another host."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urldefrag

LEADS_NOWHERE, LOADED_ELSEWHERE = "this link leads nowhere", "this is loaded from another host"
LOADS = {("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src"), ("source", "src"), ("object", "data"),
         ("use", "href")}
ANOTHER_HOST = re.compile(r"(?:https?:)?//", re.IGNORECASE)
ADDRESS_IN_STYLE = re.compile(r"""(?:(?:@import\s+)?url\(\s*|@import\s+)["']?([^"')\s]+)""", re.IGNORECASE)


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value is None:
                continue
            if name == "id" or (tag == "a" and name == "name"):
                self.places.add(value)
            elif (tag, name) in LOADS:
                self.loads.append(value)
            elif tag == "a" and name == "href":
                self.links.append(value)


class Fault(NamedTuple):
    page: str  # within the site
    said: str
    target: str


@dataclass
class Found:
    pages: int = 0
    links: int = 0  # that lead somewhere
    external: set[str] = field(default_factory=set)
    faults: list[Fault] = field(default_factory=list)


def check(site: Path) -> Found:
    pages = {path: Page(path.read_text()) for path in sorted(site.rglob("*.html"))}
    found = Found(pages=len(pages))
    for path, page in pages.items():
        for address in page.loads:
            if ANOTHER_HOST.match(address):
                found.faults.append(Fault(str(path.relative_to(site)), LOADED_ELSEWHERE, address))
        for address in page.links + page.loads:
            if ANOTHER_HOST.match(address):
                found.external.add(address)
            elif not address.startswith(("data:", "mailto:", "javascript:")):
                file, place = urldefrag(address)
                target = (path.parent / unquote(file.partition("?")[0])).resolve() if file else path
                if not target.is_file() or (place and target in pages and unquote(place) not in pages[target].places):
                    found.faults.append(Fault(str(path.relative_to(site)), LEADS_NOWHERE, address))
                else:
                    found.links += 1
    for style in sorted(site.rglob("*.css")):
        for address in ADDRESS_IN_STYLE.findall(style.read_text()):
            if ANOTHER_HOST.match(address):
                found.faults.append(Fault(str(style.relative_to(site)), LOADED_ELSEWHERE, address))
            elif not address.startswith("data:") and not (style.parent / address).is_file():
                found.faults.append(Fault(str(style.relative_to(site)), LEADS_NOWHERE, address))
    return found
