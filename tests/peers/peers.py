# SPDX-License-Identifier: Apache-2.0
"""Holds `poslab identify` and `poslab import` against the code of model libraries; prints the table of peers.md.

    ./dev peers [NAME ...]

Each family's model is made by the library's own classes and its configuration written by the library; what import makes of
the configuration must fit what the model does at every number. Exit code 1 if one does not.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy
import torch
import transformers
from captures import layers
from families import ROTARY, SORTED_PAIRS, THREE_AXES
from tables import ADDED

POSLAB = Path(__file__).resolve().parents[2] / "build/release/bin/poslab"


def poslab(*arguments: str | Path) -> tuple[int, str]:
    done = subprocess.run([POSLAB, *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout or done.stderr


def shown(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(str, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def variant(kind: dict[str, Any]) -> str:
    return f"{kind['scheme']}({', '.join(f'{name}={shown(value)}' for name, value in kind['parameters'].items())})"


def identified(dump: Path, expected: str, *options: str) -> tuple[bool, str]:
    """Whether that fits, and what identify says first."""
    code, said = poslab("identify", dump, "--expect", expected, "--json", *options)
    if code == 2:
        return False, said.splitlines()[0]
    named = json.loads(said).get("named") or {}
    return code == 0, f"{named.get('scheme')}, difference {named.get('largest_difference', float('nan')):.1e}"


def row(family: str, what: str, fits: bool, said: str) -> bool:
    cells = [family, what if len(what) < 130 else what[:127] + "...", "fits" if fits else "**DIFFERS**", said]
    print("| " + " | ".join(cells) + " |", flush=True)
    return fits


def positions_for(family: str, served: int) -> torch.Tensor:
    """[N], near ones and far ones; or [3, N]."""
    text = torch.cat([torch.arange(24), torch.linspace(24, served - 1, 24).long()])
    return torch.stack([text, 3 * torch.arange(48), 2 * torch.arange(48).flip(0)]) if family in THREE_AXES else text


def rotated_first(x: torch.Tensor, width: int, sorted_pairs: bool) -> Any:
    """The last `width` channels of a head brought to its front, and pairs side by side again."""
    rotated, rest = x[..., x.shape[-1] - width :], x[..., : x.shape[-1] - width]
    if sorted_pairs:
        rotated = rotated.unflatten(-1, (2, -1)).transpose(-1, -2).flatten(-2)
    return torch.cat([rotated, rest], -1).numpy()


def rotary(family: str, folder: Path) -> bool:
    model_type, settings = ROTARY[family]
    config = transformers.AutoConfig.for_model(model_type, **settings)
    config.to_json_file(folder / "config.json")
    code, said = poslab("import", folder / "config.json", "--json")
    if code != 0:
        return row(family, "import", False, said.splitlines()[0])
    imported, right, seen = json.loads(said), True, set()
    positions = positions_for(family, config.max_position_embeddings)
    for number, (before, after) in enumerate(layers(config, positions)):
        kind_number = (imported["kind_of_layer"] or [0] * 99)[number]
        if kind_number in seen:
            continue
        seen.add(kind_number)
        kind = imported["kinds"][kind_number]
        if kind["scheme"] == "none":
            same = torch.equal(before.query, after.query) and torch.equal(before.key, after.key)
            right &= row(family, "none", same, "queries and keys are not changed")
            continue
        width = int(kind["parameters"].get("rotary_width", 0)) if "qk_rope_head_dim" in settings else 0
        arrays = {"q": before.query, "q_rot": after.query, "k": before.key, "k_rot": after.key}
        taken = {name: rotated_first(x, width, model_type in SORTED_PAIRS) for name, x in arrays.items()}
        numpy.savez(folder / "dump.npz", positions=positions.numpy(), **taken)
        fits, said = identified(folder / "dump.npz", variant(kind), "--length", str(int(positions.max()) + 1))
        right &= row(family, variant(kind), fits, said)
    return right


def added(family: str, folder: Path) -> bool:
    arrays, expected, options = ADDED[family]()
    numpy.savez(folder / "dump.npz", **arrays)
    fits, said = identified(folder / "dump.npz", expected, *options)
    return row(family, expected, fits, said)


def main() -> int:
    transformers.logging.set_verbosity_error()
    print(f"\ntransformers {transformers.__version__}, torch {torch.__version__}\n\n| family | as imported, or as published | | identify says |\n|---|---|---|---|")
    right = True
    for family in sys.argv[1:] or [*ROTARY, *ADDED]:
        if family in ROTARY and ROTARY[family][0] not in transformers.CONFIG_MAPPING:
            continue
        with tempfile.TemporaryDirectory() as folder:
            right &= (rotary if family in ROTARY else added)(family, Path(folder))
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
