#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The picture of distance-profile.md, from the results of distance-profile.toml.

    /usr/bin/python3 experiments/studies/distance_profile_picture.py results/runs/distance-profile.h5
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "results/python"))
import matplotlib  # noqa: E402

matplotlib.use("Agg")
import poslab  # noqa: E402
from poslab import pictures  # noqa: E402


def main(results, picture=HERE / "distance-profile.png"):
    pictures.use_paper_style()
    run = poslab.open(results)
    panels = pictures.distance_profile(run, pictures.Looks(run), d_model=512, heads=8, length=256, contents=4,
                                       offsets="causal")
    panels[0, 0].figure.savefig(picture, dpi=130, bbox_inches="tight", metadata={"Software": None})


if __name__ == "__main__":
    main(*sys.argv[1:])
