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
    def test_bias(self):
        with tempfile.TemporaryDirectory() as folder:
            file = folder + "/table.npy"
            subprocess.run([os.environ["POSLAB_BINARY"], "table", "new-scheme", "--d-model", "16", "--heads", "2", "--positions",
                            "0:50", "--set", "first_slope=0.5", "-o", file], check=True, stdout=subprocess.DEVNULL)
            bias = np.load(file)  # [H, Nq, Nk]
        distance = np.abs(np.arange(50)[:, None] - np.arange(50))
        self.assertEqual(bias.shape, (2, 50, 50))
        for head in bias:
            np.testing.assert_allclose(head, -0.5 * np.log1p(distance), rtol=0, atol=1e-12)


if __name__ == "__main__":
    unittest.main()
