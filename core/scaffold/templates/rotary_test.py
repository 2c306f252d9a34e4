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
    def test_rotated_ones(self):
        with tempfile.TemporaryDirectory() as folder:
            file = folder + "/table.npy"
            subprocess.run([os.environ["POSLAB_BINARY"], "table", "new-scheme", "--d-model", "16", "--heads", "2", "--positions",
                            "0:50", "--set", "base=100", "-o", file], check=True, stdout=subprocess.DEVNULL)
            rotated = np.load(file)  # [H, N, K]
        angle = np.outer(np.arange(50), 100.0 ** (-2 * np.arange(4) / 8))
        self.assertEqual(rotated.shape, (2, 50, 8))
        for head in rotated:  # of an all-ones key, pairs of channels side by side
            np.testing.assert_allclose(head[:, 0::2], np.cos(angle) - np.sin(angle), rtol=0, atol=1e-12)
            np.testing.assert_allclose(head[:, 1::2], np.cos(angle) + np.sin(angle), rtol=0, atol=1e-12)


if __name__ == "__main__":
    unittest.main()
