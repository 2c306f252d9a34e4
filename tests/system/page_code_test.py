# SPDX-License-Identifier: Apache-2.0
"""The Python of every page runs: the blocks of each page one after the other, in one process and one folder, with the files and names
that the page says it is about. Also by ./dev peers, with the PyTorch of today."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

from pages_test import pages
from poslab_case import BINARY, BUILD, SMALL_STUDY, SOURCE, PoslabCase

BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
HAS_TORCH = importlib.util.find_spec("torch") is not None
NEEDS_TORCH = re.compile(r"\btorch\b")
RUN = """
import json, sys
names = {"__name__": "__main__"}
for place, code in json.load(sys.stdin):
    exec(compile(code, place, "exec"), names)
    print("ran", place, file=sys.stderr)
"""

# What a page's code is handed, as Python before its first block.
GIVEN = {
    "results/schema.md": """
import numpy
def apply_rotary(x, positions):
    angles = numpy.outer(positions, 1e4 ** (-numpy.arange(0, x.shape[-1], 2) / x.shape[-1]))
    turned = (x[..., 0::2] + 1j * x[..., 1::2]) * numpy.exp(1j * angles)
    return numpy.stack([turned.real, turned.imag], -1).reshape(x.shape)
""",
    "core/identify/identify.md": """
import numpy, subprocess, torch
positions, q = torch.arange(40), torch.randn(2, 40, 64, dtype=torch.float64)
def apply(q):
    angles = torch.outer(positions.double(), 500000.0 ** (-torch.arange(0, 64, 2, dtype=torch.float64) / 64))
    a, b = q.chunk(2, -1)
    return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1)
""",
    "results/python/schemes.md": """
import numpy
angles = numpy.outer(numpy.arange(40), 500000.0 ** (-numpy.arange(0, 64, 2) / 64))
cos, sin = numpy.cos(angles), numpy.sin(angles)
""",
}


def blocks_of(page):
    """(place, code) of each."""
    text = page.read_text()
    return [(f"{page.relative_to(SOURCE)}:{text.count(chr(10), 0, block.start()) + 1}", block[1]) for block in BLOCK.finditer(text)]


class PageCode(PoslabCase):
    def prepared(self, page):
        """The folder from which a page's code runs, with the files that it names."""
        if page == "README.md":
            self.expect((0, 1), "run", SOURCE / "experiments/studies/quickstart.toml", "-o", "quickstart.h5", "--only", "none", "--only", "rope",
                        "--only", "shaw", "--only", "uniqueness", "--only", "norm-preservation")
            (self.scratch / "results/runs").mkdir(parents=True)
            shutil.move(self.scratch / "quickstart.h5", self.scratch / "results/runs")
        if page == "results/schema.md":
            self.expect(0, "table", "rope", "--positions", "0:64", "-o", "rope.safetensors")
        if page == "results/python/schemes.md":
            self.study(SMALL_STUDY)
        if page == "experiments/studies/league.md":
            (self.scratch / "league").symlink_to(SOURCE / "experiments/studies/league")
        return self.scratch

    def environment(self):
        """Where the code finds package, program and library; `poslab`, too, which pages call."""
        (self.scratch / "bin").mkdir()
        (self.scratch / "bin/poslab").symlink_to(BINARY)
        return {**os.environ, "PYTHONPATH": f"{SOURCE}/results/python", "POSLAB_PROGRAM": BINARY, "POSLAB_PYTHON": sys.executable,
                "POSLAB_LIBRARY": str(BUILD / "lib/libposlab.so"), "MPLBACKEND": "Agg", "XDG_CACHE_HOME": str(self.cache),
                "MPLCONFIGDIR": str(BUILD / "tests/matplotlib"), "PATH": f"{self.scratch}/bin:{os.environ['PATH']}"}

    def run_blocks(self, page, blocks):
        environment = self.environment()
        done = subprocess.run([sys.executable, "-B", "-c", RUN], input=json.dumps(blocks), cwd=self.prepared(page), env=environment, text=True,
                              capture_output=True, timeout=900)
        self.assertEqual(done.returncode, 0, done.stderr[-4000:])
        return done

    def test_there_are_pages_with_python(self):
        self.assertGreater(len(PAGES), 5)
        self.assertGreater(sum(map(len, PAGES.values())), 12)
        self.assertLessEqual({*GIVEN}, {*PAGES})


def trial_of(page, blocks):
    def test(self):
        given = [(f"what {page} is handed", GIVEN[page])] if page in GIVEN else []
        left_out = [] if HAS_TORCH else [place for place, code in [*given, *blocks] if NEEDS_TORCH.search(code)]
        if given and given[0][0] in left_out:  # the blocks are about that
            left_out = [place for place, _ in [*given, *blocks]]
        tried = [block for block in [*given, *blocks] if block[0] not in left_out]
        done = self.run_blocks(page, tried)
        self.assertEqual(done.stderr.count("\nran ") + done.stderr.startswith("ran "), len(tried))
        if left_out:
            self.skipTest(f"there is no PyTorch (Debian 12: python3-torch), which {', '.join(left_out)} wants; the others ran")
    return test


PAGES = {str(page.relative_to(SOURCE)): blocks for page in pages() if (blocks := blocks_of(page))}
for each, blocks_of_page in PAGES.items():
    setattr(PageCode, f"test_{re.sub(r'[^a-z]+', '_', each.lower())}", trial_of(each, blocks_of_page))

if __name__ == "__main__":
    unittest.main()
