# SPDX-License-Identifier: Apache-2.0
"""The pages lead to one another: every link to a file of the tree finds it."""

import os
import re
import unittest
from pathlib import Path

SOURCE = Path(os.environ["POSLAB_SOURCE_DIR"])
FOLDERS = ("core", "experiments", "plugins", "results", "tests")
A_BLOCK_OF_CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def pages():
    yield from SOURCE.glob("*.md")
    for folder in FOLDERS:
        yield from (page for page in sorted((SOURCE / folder).rglob("*.md")) if "templates" not in page.parts)


def links_of(page):
    """Those to files, without the place within them."""
    for link in re.findall(r"\]\(([^)\s]+)\)", A_BLOCK_OF_CODE.sub("", page.read_text())):
        file = link.partition("#")[0]
        if file and "://" not in file:
            yield file


class Pages(unittest.TestCase):
    def test_every_link_finds_its_file(self):
        links = [(page, link) for page in pages() for link in links_of(page)]
        self.assertGreater(len(links), 300)
        dead = [f"{page.relative_to(SOURCE)}: {link}" for page, link in links if not (page.parent / link).exists()]
        self.assertEqual(dead, [])


if __name__ == "__main__":
    unittest.main()
