# SPDX-License-Identifier: Apache-2.0
"""With the libraries of today, PyTorch among them: the Python of every page, schemes inside PyTorch, and schemes written with it.

    python pages.py BUILD                                # build/release, with poslab, libposlab and plugins
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TESTS = ("page_code_test", "python_schemes_test", "python_plugins_test")


def main(build: str) -> int:
    at = Path(build).resolve()
    where = {"POSLAB_BINARY": f"{at}/bin/poslab", "POSLAB_SOURCE_DIR": str(ROOT), "POSLAB_BUILD_DIR": str(at)}
    # What these libraries warn each other about is not ours.
    words = [sys.executable, "-B", "-W", "ignore", "-m", "unittest", *TESTS]
    return subprocess.run(words, cwd=ROOT / "tests/system", env={**os.environ, **where}).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
