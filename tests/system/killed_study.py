# SPDX-License-Identifier: Apache-2.0
"""The study of runs that are killed: cells of many sizes, some of which leave a trace."""

STUDY = """
format = 1
title = "Small cells and large ones, for runs that are killed"
seed = 7
[model]
d_model = 64
heads = 4
[[scheme]]
use = "sinusoidal"
axes = {{ base = [1e3, 1e4] }}
[[scheme]]
use = "rope"
[[scheme]]
use = "alibi"
[[scheme]]
use = "shaw"
[[scheme]]
use = "leaves-a-trace"
axes = {{ number = [1, 2, 3, 4] }}
[[experiment]]
use = "uniqueness"
[experiment.axes]
length = {lengths}
[[experiment]]
use = "relative-shift"
repeats = 3
[experiment.axes]
length = [37, 75, 150]
"""
SMALL = [16, 17, 18, 19, 20, 22, 24, 28, 32, 40, 48, 56, 64, 80, 96, 100, 128, 200, 256, 400]
LENGTHS = {"small": SMALL + [512, 640, 1024, 2048], "large": SMALL + [512, 640, 1024, 1500, 2048, 3000, 4096]}
