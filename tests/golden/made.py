#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Golden cases worked out in numpy from the formulas, for schemes of which we ran no other implementation.

    /usr/bin/python3 tests/golden/made.py        # writes made.h5 beside this script

Each formula is written from the paper, or from the published code that its scheme's page names, without a look at the
plugin. The layout is that of schemes.h5. The same numpy writes the same numbers; a test holds our plugins to the file.
"""
from __future__ import annotations

import json
import pathlib

import h5py
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
(HERE / "made.h5").unlink(missing_ok=True)
rng = np.random.default_rng(20261125)


def case(name, params, inputs, outputs, symbol):
    with h5py.File(HERE / "made.h5", "a", libver="latest") as file:
        group = file.create_group(name)
        for key, text in {"computed_in": "float64", "params": json.dumps(params), "source_kind": "transcription",
                          "source_repo": "-", "source_path": "tests/golden/made.py", "source_commit": "-",
                          "source_symbol": symbol, "family": "-", "notes": "-", "max_abs_diff_vs_ref64": "{}"}.items():
            group.attrs[key] = np.bytes_(text.encode())
        for part, arrays in (("inputs", inputs), ("outputs", outputs), ("ref64", outputs)):
            for key, array in arrays.items():
                group.create_dataset(f"{part}/{key}", data=array, track_times=False)


def rotate(x, angles, style):
    """x [H, N, K], angles [N, K/2] of each plane."""
    c, s = np.cos(angles), np.sin(angles)
    out = x.copy()
    planes = angles.shape[1]
    if style == "interleaved":
        a, b = x[..., 0:2 * planes:2], x[..., 1:2 * planes:2]
        out[..., 0:2 * planes:2], out[..., 1:2 * planes:2] = a * c - b * s, a * s + b * c
    else:
        a, b = x[..., :planes], x[..., planes:2 * planes]
        out[..., :planes], out[..., planes:2 * planes] = a * c - b * s, a * s + b * c
    return out


def vectors(*shape):
    return rng.standard_normal(shape)


def grid(*extents):
    return np.stack(np.meshgrid(*[np.arange(n, dtype=float) for n in extents], indexing="ij"), -1).reshape(-1, len(extents))


# rope-nd: a ladder for each axis (FLUX, Wan, SAM 2), or axes that alternate (HunyuanImage 3)
def ladder_angles(p, widths, base):
    return np.concatenate([p[:, a:a + 1] * base ** (-np.arange(0, w, 2) / w) for a, w in enumerate(widths)], 1)


for name, widths, K, style in (("flux", [16, 56, 56], 128, "interleaved"), ("wan", [44, 42, 42], 128, "interleaved"),
                               ("partial", [2, 6], 12, "half_split"), ("one_axis", [8], 8, "half_split")):
    p = np.floor(40 * rng.random((9, len(widths)))) - 4
    q = vectors(2, 9, K)
    case(f"rope_ladders/{name}", {"widths": widths, "dim": K, "base": 10000.0, "style": style}, {"q": q, "positions": p},
         {"q_rot": rotate(q, ladder_angles(p, widths, 1e4), style)}, "the formula of rope-nd.md, ladders")
for name, K, widths in (("thirds_128", 128, [44, 42, 42]), ("thirds_20", 20, [8, 6, 6])):
    p, q = grid(2, 3, 2), vectors(1, 12, K)
    case(f"rope_ladders/{name}", {"axes": 3, "dim": K, "base": 10000.0, "style": "interleaved"}, {"q": q, "positions": p},
         {"q_rot": rotate(q, ladder_angles(p, widths, 1e4), "interleaved")}, "Wan's shares: K - 4 floor(K/6), 2 floor(K/6) twice")
for name, K, A in (("hunyuan_16", 16, 2), ("three_12", 12, 3)):
    p, q = 7 * rng.standard_normal((10, A)), vectors(2, 10, K)
    theta = 1 / 1e4 ** (np.arange(0, K, 2) / K)
    angles = (p[:, None, :] * theta.reshape(1, K // 2 // A, A)).reshape(10, K // 2)
    case(f"rope_alternating/{name}", {"axes": A, "dim": K, "base": 10000.0, "style": "half_split"},
         {"q": q, "positions": p}, {"q_rot": rotate(q, angles, "half_split")}, "build_2d_rope of HunyuanImage 3")

# v-jepa-2: rotate_queries_or_keys, for each third of a head
def jepa(x, p, tiled):
    R = 2 * (x.shape[-1] // 3 // 2)
    omega = 1 / 1e4 ** (np.arange(R // 2) / (R / 2))
    parts = []
    for axis in range(3):
        part = x[..., axis * R:(axis + 1) * R]
        f = p[:, axis, None] * omega
        c, s = (np.tile(f, (1, 2)) if tiled else np.repeat(f, 2, axis=1) for f in (np.cos(f), np.sin(f)))
        other = np.stack([-part[..., 1::2], part[..., ::2]], -1).reshape(part.shape)
        parts.append(part * c + other * s)
    return np.concatenate(parts + [x[..., 3 * R:]], -1)


for K in (6, 14, 64):
    for tiled in (True, False):
        p, q = grid(2, 3, 3) + [[3, 0, 5]], vectors(2, 18, K)
        case(f"v_jepa_2/K{K}_{'tiled' if tiled else 'fixed'}", {"dim": K, "fixed": not tiled}, {"q": q, "positions": p},
             {"q_rot": jepa(q, p, tiled)}, "rotate_queries_or_keys of vjepa2")

# axial-normalised: DINOv3's RopePositionEmbedding
for name, rows, columns, by, K, periods in (("square", 4, 4, "separate", 16, None), ("wide", 3, 5, "separate", 8, None),
                                            ("wide_max", 3, 5, "max", 8, None), ("wide_min", 3, 5, "min", 8, None),
                                            ("periods", 4, 3, "separate", 24, (0.5, 40.0))):
    extents = {"separate": np.array([rows, columns]), "max": max(rows, columns), "min": min(rows, columns)}[by]
    u = 2 * (grid(rows, columns) + 0.5) / extents - 1
    if periods:
        ratio = periods[1] / periods[0]
        T = ratio ** np.linspace(0, 1, K // 4) / ratio * periods[1]
    else:
        T = 100.0 ** (2 * np.arange(K // 4) / (K // 2))
    angles = (2 * np.pi * u[:, :, None] / T).reshape(-1, K // 2)
    q = vectors(2, rows * columns, K)
    params = {"grid": [rows, columns], "normalise": by, "base": 100.0, "dim": K}
    if periods:
        params |= {"min_period": periods[0], "max_period": periods[1]}
    case(f"dinov3/{name}", params, {"q": q}, {"q_rot": rotate(q, angles, "half_split")}, "RopePositionEmbedding of DINOv3")

# resonance
for K, base, style in ((8, 1e4, "interleaved"), (16, 500000.0, "half_split"), (6, 1e4, "half_split")):
    p, q = np.array([[0.0], [1], [5], [6], [700], [14580], [-3], [2.5]]), vectors(2, 8, K)
    L = np.round(2 * np.pi * base ** (np.arange(0, K, 2) / K))
    case(f"resonance/K{K}_{style}", {"dim": K, "base": base, "style": style}, {"q": q, "positions": p},
         {"q_rot": rotate(q, 2 * np.pi * np.fmod(p, L) / L, style)}, "the formula of resonance.md")

# query-temperature
p = np.array([0.0, 1, 2, 6, 7, 8, 15, 16, 100, 8190, 8191, 8192, 20000])
for form, length, scale in (("llama4", 8, 0.1), ("llama4", 8192, 0.1), ("ministral3", 8, 0.25)):
    q = vectors(2, len(p), 4)
    factor = 1 + scale * np.log(1 + np.floor((p + (form == "llama4")) / length))
    case(f"query_temperature/{form}_{length}", {"form": form, "length": length, "scale": scale, "dim": 4},
         {"q": q, "positions": p, "k": q}, {"q_rot": q * factor[:, None], "k_rot": q}, "Llama4TextAttention; Ministral 3")
q, s = vectors(3, len(p), 4), np.array([0.43, 0.168, -1.5])
case("query_temperature/ssmax", {"form": "ssmax", "dim": 4}, {"q": q, "positions": p, "k": q, "s": s},
     {"q_rot": q * s[:, None, None] * np.log(p + 1)[:, None], "k_rot": q}, "Scalable-Softmax, equation of logits")

# decomposed-relative: add_decomposed_rel_pos
for rows, columns, K in ((3, 4, 5), (1, 6, 2), (2, 2, 8)):
    N = rows * columns
    q, k, Rh, Rw = vectors(2, N, K), vectors(2, N, K), vectors(2 * rows - 1, K), vectors(2 * columns - 1, K)
    at = grid(rows, columns).astype(int)
    dy, dx = (at[:, None, axis] - at[None, :, axis] + extent - 1 for axis, extent in ((0, rows), (1, columns)))
    logits = np.einsum("hik,hjk->hij", q, k) / np.sqrt(K) + np.einsum("hik,ijk->hij", q, Rh[dy]) + \
        np.einsum("hik,ijk->hij", q, Rw[dx])
    case(f"decomposed_relative/{rows}x{columns}", {"grid": [rows, columns], "dim": K},
         {"q": q, "k": k, "rel_pos_h": Rh, "rel_pos_w": Rw}, {"logits": logits}, "add_decomposed_rel_pos of SAM")

# m-rope with interleaved sections: apply_interleaved_mrope of Qwen3-VL
for K, sections, rotary in ((128, [24, 20, 20], 128), (16, [4, 2, 2], 16), (32, [4, 2, 2], 16)):
    p, q = np.floor(50 * rng.random((9, 3))), vectors(2, 9, K)
    plane = np.arange(rotary // 2)
    axis = np.where((plane % 3 == 1) & (plane < 3 * sections[1]), 1,
                    np.where((plane % 3 == 2) & (plane < 3 * sections[2]), 2, 0))
    angles = p[:, axis] * 1e4 ** (-2 * plane / rotary)
    case(f"m_rope_interleaved/K{K}_R{rotary}", {"dim": K, "base": 10000.0, "mrope_section": sections, "rotary": rotary},
         {"q": q, "positions_thw": p.T.copy()}, {"q_rot": rotate(q, angles, "half_split")}, "apply_interleaved_mrope of Qwen3-VL")

# bam: AttentionPrior of the published code, bias [H, N, N]
for name, alpha, beta, mu, eps in (
        ("laplace", np.log([0.5, 0.25]), [1, 1], [0, 0], 1e-5), ("gauss", [-4.5, -1.25], [2, 2], [0.5, -1], 1e-5),
        ("any", [-1.5, 0.25, 0.0], [0.5, 0.0, -0.75], [0.0, -1.25, 0.3], 1e-3)):
    alpha, beta, mu = (np.array(numbers, float)[:, None, None] for numbers in (alpha, beta, mu))
    offset = np.arange(9.0)[None, None, :] - np.arange(9.0)[None, :, None]
    case(f"bam/{name}", {"heads": len(alpha), "eps": eps},
         {"scale": alpha.ravel(), "shape": beta.ravel(), "loc": mu.ravel()},
         {"bias": -((np.abs(offset - (np.exp(mu) - np.exp(-mu))) + eps) ** beta) * np.exp(alpha)}, "AttentionPrior of BAM")

# stick-breaking: naive_stickbreaking_attn of flash-linear-attention, and what is left given to the query's own value
for N, K, strength in ((1, 3, 1.0), (7, 4, 1.0), (12, 2, 6.0)):
    q, k, v = strength * vectors(2, N, K), vectors(2, N, K), vectors(2, N, K)
    z = np.einsum("hik,hjk->hij", q, k) / np.sqrt(K)
    before = np.tril(np.ones((N, N)), -1)
    log_beta, log_rest = -np.log1p(np.exp(-z)), -np.log1p(np.exp(z)) * before
    nearer = np.array([[[s[j + 1:].sum() for j in range(N)] for s in head] for head in log_rest])
    weights = np.exp(log_beta + nearer) * before
    rest = 1 - weights.sum(-1)
    weights += rest[..., None] * np.eye(N)
    case(f"stick_breaking/N{N}_K{K}_{strength:g}", {"heads": 2, "dim": K}, {"q": q, "k": k, "v": v},
         {"weights": weights, "o": np.einsum("hij,hjk->hik", weights, v)}, "naive_stickbreaking_attn, + rem v")
