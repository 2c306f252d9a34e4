# SPDX-License-Identifier: Apache-2.0
"""The sample files, in the directory POSLAB_SAMPLES, and what write_samples put into them."""

import os
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "results/python"))

SAMPLES = Path(os.environ["POSLAB_SAMPLES"])
ROPE = "rope(style=half-split, base=10000.0)"
ROPE_LONG = "rope(style=half-split, base=500000.0)"


def made_up(variant, length, repeat, measure, x=0.0):
    return np.sin(length + 0.1 * len(variant) + repeat + len(measure)) + np.asarray(x) / 3
