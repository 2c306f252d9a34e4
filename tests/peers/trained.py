# SPDX-License-Identifier: Apache-2.0
"""What poslab measures of the tables of small published networks, trained and as they begin.

trained.py FOLDER     writes the arrays and results there, and what the page says of them into FOLDER/trained.json
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy
from dumps import POSLAB
from published import export

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "results/python"))

SHIFT = 10
MEASURES = {
    "distinct": "uniqueness",
    "position_error": "decodability",
    "position_error_chance": "decodability",
    "participation": "effective-dimension",
    "content_error_rms": "relative-shift",
    "size": "content-independence",
}
# Study -> what its table is called, and which scheme of it is that table.
CALLED = {
    "minilm": "MiniLM, 512 x 384",
    "whisper": "Whisper tiny.en's decoder, 448 x 384",
    "voice": "the voice's layer {layer}, twice 9 x 96",
}
SINUSOID = "timing-signal sinusoid (Whisper's encoder's), 448 positions"


def measured(study: Path, results: Path, options: list[str]) -> Any:
    subprocess.run([POSLAB, "run", study, "-o", results, "--fresh", *options], check=True, stdout=sys.stderr)
    import poslab

    return poslab.open(results)


def measures_of(run: Any, scheme: str) -> dict[str, tuple[float, float]]:
    """Measure -> mean and standard error, of what this run has."""
    found = {}
    for measure, experiment in MEASURES.items():
        if experiment not in run.experiments:
            continue
        cube = run.cube(experiment, measure)[measure].sel(scheme=scheme)
        if "shift" in cube.dims:
            cube = cube.sel(shift=SHIFT)
        numbers = cube.to_numpy().astype(float)
        numbers = numbers[numpy.isfinite(numbers)]  # none where the study has no cell
        spread = float(numbers.std(ddof=1)) if len(numbers) > 1 else 0.0
        found[measure] = (float(numbers.mean()), spread / math.sqrt(len(numbers)))
    return found


def rows_of(folder: Path) -> list[dict[str, Any]]:
    rows = []
    for study, options in export(folder).items():
        name, _, layer = study.partition(", layer ")
        scheme = "shaw" if name == "voice" else "learned"
        for weights in ("trained", "untrained"):
            if weights == "untrained" and layer not in ("", "0"):
                continue  # as the first layer's
            given = options if weights == "trained" else []
            run = measured(HERE / f"{name}.toml", folder / f"{study}, {weights}.h5", given)
            table = CALLED[name].format(layer=layer)
            rows.append({"scheme": scheme, "table": table, "weights": weights, "measures": measures_of(run, scheme)})
            if name == "whisper" and weights == "untrained":
                rows.append(
                    {"scheme": "sinusoidal", "table": SINUSOID, "weights": "none", "measures": measures_of(run, "sinusoidal")}
                )
    return rows


if __name__ == "__main__":
    where = Path(sys.argv[1])
    (where / "trained.json").write_text(json.dumps(rows_of(where), indent=1) + "\n")
