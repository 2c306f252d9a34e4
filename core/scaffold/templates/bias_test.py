#!/usr/bin/python3
"""new-scheme against its formula, written a second time in numpy."""

import os
import subprocess
import tempfile
import unittest

import h5py
import numpy as np


class Formula(unittest.TestCase):
    def test_bias(self):
        with tempfile.TemporaryDirectory() as folder:
            file = folder + "/table.h5"
            subprocess.run([os.environ["POSLAB_BINARY"], "table", "new-scheme", "--d-model", "16", "--heads", "2", "--positions",
                            "0:50", "--set", "first_slope=0.5", "-o", file], check=True, stdout=subprocess.DEVNULL)
            with h5py.File(file) as table:
                query, key, bias = (table[name][...] for name in ("query_position", "key_position", "position_bias"))
        distance = np.abs(query[:, None] - key[None, :])
        for head in bias:
            np.testing.assert_allclose(head, -0.5 * np.log1p(distance), rtol=0, atol=1e-12)


if __name__ == "__main__":
    unittest.main()
