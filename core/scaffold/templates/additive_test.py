#!/usr/bin/python3
"""new-scheme against its formula, written a second time in numpy."""

import os
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    sys.exit(f"this test needs NumPy: apt install python3-numpy on Debian, or {sys.executable} -m pip install numpy")


class Formula(unittest.TestCase):
    def test_rows(self):
        with tempfile.TemporaryDirectory() as folder:
            file = folder + "/table.npy"
            subprocess.run([os.environ["POSLAB_BINARY"], "table", "new-scheme", "--d-model", "12", "--heads", "2", "--positions",
                            "0:50", "--set", "base=100", "-o", file], check=True, stdout=subprocess.DEVNULL)
            row = np.load(file)  # [N, D]
        frequency = 100.0 ** (-np.arange(12) / 12)
        np.testing.assert_allclose(row, np.cos(np.outer(np.arange(50), frequency)), rtol=0, atol=1e-12)


if __name__ == "__main__":
    unittest.main()
