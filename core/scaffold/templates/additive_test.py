#!/usr/bin/python3
"""new-scheme against its formula, written a second time in numpy."""

import os
import subprocess
import tempfile
import unittest

import h5py
import numpy as np


class Formula(unittest.TestCase):
    def test_rows(self):
        with tempfile.TemporaryDirectory() as folder:
            file = folder + "/table.h5"
            subprocess.run([os.environ["POSLAB_BINARY"], "table", "new-scheme", "--d-model", "12", "--heads", "2", "--positions",
                            "0:50", "--set", "base=100", "-o", file], check=True, stdout=subprocess.DEVNULL)
            with h5py.File(file) as table:
                position, row = table["position"][...], table["encoding_table"][...]
        frequency = 100.0 ** (-np.arange(12) / 12)
        np.testing.assert_allclose(row, np.cos(np.outer(position, frequency)), rtol=0, atol=1e-12)


if __name__ == "__main__":
    unittest.main()
