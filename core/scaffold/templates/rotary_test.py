#!/usr/bin/python3
"""new-scheme against its formula, written a second time in numpy."""

import os
import subprocess
import tempfile
import unittest

import h5py
import numpy as np


class Formula(unittest.TestCase):
    def test_rotated_ones(self):
        with tempfile.TemporaryDirectory() as folder:
            file = folder + "/table.h5"
            subprocess.run([os.environ["POSLAB_BINARY"], "table", "new-scheme", "--d-model", "16", "--heads", "2", "--positions",
                            "0:50", "--set", "base=100", "-o", file], check=True, stdout=subprocess.DEVNULL)
            with h5py.File(file) as table:
                position, rotated = table["position"][...], table["rotated_ones"][...]
        angle = np.outer(position, 100.0 ** (-2 * np.arange(4) / 8))
        for head in rotated:  # of an all-ones key, pairs of channels side by side
            np.testing.assert_allclose(head[:, 0::2], np.cos(angle) - np.sin(angle), rtol=0, atol=1e-12)
            np.testing.assert_allclose(head[:, 1::2], np.cos(angle) + np.sin(angle), rtol=0, atol=1e-12)


if __name__ == "__main__":
    unittest.main()
