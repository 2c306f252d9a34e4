#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The picture of distance-profile.md, from the results of distance-profile.toml.

    /usr/bin/python3 experiments/studies/distance_profile_picture.py results/runs/distance-profile.h5

Into the working directory, where none is replaced, or the folder named last: `experiments/studies` renews the committed one.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "results/python"))
import matplotlib  # noqa: E402

matplotlib.use("Agg")
import poslab  # noqa: E402
from poslab import pictures  # noqa: E402


def main(results: str, folder: str | None = None) -> None:
    pictures.use_paper_style()
    run = poslab.open(results)
    panels = pictures.distance_profile(run, pictures.Looks(run), d_model=512, heads=8, length=256, contents=4,
                                       offsets="causal")
    pictures.save(panels[0, 0].figure, "distance-profile.png", folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
