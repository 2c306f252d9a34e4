#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Golden cases worked out in numpy from the formulas, for schemes of which we ran no other implementation.

    /usr/bin/python3 tests/golden/made.py        # writes made.h5 beside this script

Each formula is written from the paper, or from the published code that its scheme's page names, without a look at the
plugin. The layout is that of schemes.h5. The same numpy on a processor of the same type writes the same numbers; on another
their last digits differ. A test holds our plugins to the file.
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

# rope of the last channels: DeepSeek's decoupled part
for K, R, style in ((12, 4, "interleaved"), (10, 6, "half_split"), (24, 8, "half_split")):
    p, q = np.array([0.0, 1, 3, 1000, 2.5]), vectors(2, 5, K)
    rotated = rotate(q[..., K - R:], p[:, None] * 1e4 ** (-np.arange(0, R, 2) / R), style)
    case(f"rope_last/K{K}_R{R}_{style}", {"dim": K, "base": 10000.0, "qk_rope_head_dim": R, "style": style},
         {"q": q, "positions": p}, {"q_rot": np.concatenate([q[..., :K - R], rotated], -1)}, "DeepSeek's q_nope, q_pe")

# fope: FourierEmbedding of the paper's appendix (series over the sum of their coefficients, the other way round, padded
# with 1), and of Intern-S1-Pro in vLLM (as they are, the sine padded with 0; before that with 1); the authors' repository
# is at the end of this file
def fope(name, form, padding, H, K, base, F, L, symbol):
    w = base ** (-np.arange(0, K, 2) / K)
    w = w[:F] if F else w[w > 2 * np.pi / L]
    P = len(w) if form == "intern-s1" else min(len(w), K // 4)
    rope = np.zeros((len(w), P))
    for m in range(P):
        if m * -(-len(w) // P) < len(w):
            rope[m * -(-len(w) // P), m] = 1
    a, b = 0.1 * vectors(H, len(w), P), 0.1 * vectors(H, len(w), P)
    p, q = np.array([0.0, 1, 2, 7, 100, 3.5]), vectors(H, 6, K)
    total_a, total_b = a + rope, b + rope
    if form == "appendix":
        total_a, total_b = total_a / total_a.sum(1, keepdims=True), total_b / total_b.sum(1, keepdims=True)
    cosines, sines = np.ones((H, 6, K // 2)), np.full((H, 6, K // 2), float(padding))
    cosines[..., :P] = np.einsum("nf,hfp->hnp", np.cos(p[:, None] * w), total_a)
    sines[..., :P] = np.einsum("nf,hfp->hnp", np.sin(p[:, None] * w), total_b)
    if form == "appendix":
        sines = -sines
    x, y = q[..., :K // 2], q[..., K // 2:]
    params = {"form": form, "padding": "one" if padding else "zero", "heads": H, "dim": K, "base": base}
    case(f"fope/{name}", params | ({"num_inv_freq": F} if F else {"max_position_embeddings": L}),
         {"q": q, "positions": p, "cos_coef": a, "sin_coef": b},
         {"q_rot": np.concatenate([x * cosines - y * sines, y * cosines + x * sines], -1)}, symbol)


for of_form in (
        ("appendix_few", "appendix", 1, 2, 16, 1e4, None, 64), ("appendix_square", "appendix", 1, 1, 16, 1e4, 4, None),
        ("intern", "intern-s1", 0, 3, 8, 5e6, 3, None), ("intern_ones", "intern-s1", 1, 1, 8, 100.0, None, 512)):
    fope(*of_form, "FourierEmbedding of FoPE")

# dual-chunk: ChunkLlama's prefill, pair by pair; the temperature of vLLM on keys, or YaRN's on both
for name, N, C, L, temperature, original in (("chunks_of_5", 23, 8, 3, "none", None), ("one_chunk", 5, 8, 3, "none", None),
                                             ("more_than_half", 19, 9, 6, "none", None), ("keys", 23, 6, 1, "keys", 7),
                                             ("both", 23, 6, 1, "both", 7)):
    K, s, n = 8, C - L, np.arange(N)
    q, k, w = vectors(2, N, K), vectors(2, N, K), 1e4 ** (-np.arange(0, K, 2) / K)
    places = {"intra": n % s, "succ": np.minimum(n % s + s, C), "inter": np.full(N, np.minimum(np.arange(s) + s, C)[s - 1])}
    queries = {word: rotate(q, place[:, None] * w, "half_split") for word, place in places.items()}
    keys, logits = rotate(k, (n % s)[:, None] * w, "half_split"), np.full((2, N, N), -np.inf)
    t = {"none": 1.0, "keys": 1, "both": 2}[temperature]
    t = max(0.1 * np.log(N / original) + 1, 1) ** t if original else 1.0
    for i in n:
        for j in range(i + 1):
            word = {0: "intra", 1: "succ"}.get(i // s - j // s, "inter")
            logits[:, i, j] = t * (queries[word][:, i] * keys[:, j]).sum(-1) / np.sqrt(K)
    params = {"dim": K, "chunk_size": C, "local_size": L, "temperature": temperature}
    case(f"dual_chunk/{name}", params | ({"original_max_position_embeddings": original} if original else {}),
         {"q": q, "k": k}, {"logits": logits}, "ChunkLlama's forward; DualChunkRotaryEmbedding of vLLM")

# learned-grid: along each axis a matrix [new, old], by the definitions in learned-grid.md
def keys(x, A):
    x = np.abs(x)
    return np.where(x < 1, (A + 2) * x**3 - (A + 3) * x**2 + 1, np.where(x < 2, A * (x**3 - 5 * x**2 + 8 * x - 4), 0))


def resampling(new, old, method, antialias, corners, offset):
    step = (old - 1) / max(new - 1, 1) if corners else old / (new + offset)
    matrix = np.zeros((new, old))
    for i in range(new):
        c = i * step if corners else step * (i + 0.5) - 0.5
        if antialias:
            x = (np.arange(old) - c) / max(1, step)
            matrix[i] = keys(x, -0.5) if method == "bicubic" else np.maximum(0, 1 - np.abs(x))
            matrix[i] /= matrix[i].sum()
        else:
            c = c if method == "bicubic" else min(max(c, 0), old - 1)
            for a in range(int(np.floor(c)) - 1, int(np.floor(c)) + 3):
                weight = keys(a - c, -0.75) if method == "bicubic" else max(0, 1 - abs(a - c))
                matrix[i, min(max(a, 0), old - 1)] += weight
    return matrix


for name, old, new, method, antialias, corners, offset in (
        ("vit_finer", (3, 4), (5, 9), "bicubic", False, False, 0), ("vit_coarser", (7, 5), (3, 2), "bicubic", False, False, 0),
        ("bilinear", (4, 3), (7, 2), "bilinear", False, False, 0), ("jax", (4, 4), (6, 3), "bilinear", False, True, 0),
        ("dinov2", (5, 5), (8, 3), "bicubic", False, False, 0.1), ("timm_finer", (3, 4), (5, 9), "bicubic", True, False, 0),
        ("timm_coarser", (9, 8), (4, 3), "bicubic", True, False, 0), ("bilinear_antialias", (9, 8), (4, 11), "bilinear", True, False, 0),
        ("corners", (5, 3), (2, 1), "bicubic", False, True, 0)):
    E = vectors(*old, 3)
    u, v = (resampling(n, o, method, antialias, corners, offset) for n, o in zip(new, old))
    case(f"learned_grid/{name}", {"old": old, "grid": new, "d_model": 3, "mode": method, "antialias": antialias,
                                  "align_corners": corners, "offset": offset}, {"table": E},
         {"pe": np.einsum("ya,xb,abd->yxd", u, v, E)}, "interpolate of PyTorch")

# grape: the exponential series of whole matrices
def exponential(matrix):
    small, term, total = matrix / 2**12, np.eye(len(matrix)), np.eye(len(matrix))
    for n in range(1, 20):
        term = term @ small / n
        total = total + term
    for _ in range(12):
        total = total @ total
    return total


def generator(a, b):
    return np.outer(a, b) - np.outer(b, a)


for name, form, turns, K, style in (("canonical", "commuting", 0, 8, "half_split"), ("two_turns", "commuting", 2, 6, "interleaved"),
                                    ("three_turns", "commuting", 3, 8, "half_split"), ("rank_two", "rank-2", 2, 7 + 1, "interleaved")):
    H, p = 2, np.array([0.0, 1, 2.5, -4, 9])
    q, a, b = vectors(H, 5, K), 0.7 * vectors(H, 1 if form == "rank-2" else turns, K), 0.7 * vectors(H, 1 if form == "rank-2" else turns, K)
    f = 0.3 * vectors(1, K // 2)
    out = np.empty_like(q)
    for h in range(H):
        if form == "rank-2":
            L = generator(a[h, 0], b[h, 0])
        else:
            E, planes = np.eye(K), np.zeros((K, K))
            for r in range(turns):
                E = E @ exponential(generator(a[h, r], b[h, r]))
            for m, w in enumerate(1e4 ** (-np.arange(0, K, 2) / K) + f[0]):
                one, other = (m, m + K // 2) if style == "half_split" else (2 * m, 2 * m + 1)
                planes[other, one], planes[one, other] = w, -w
            L = E @ planes @ E.T
        for n in range(5):
            out[h, n] = exponential(p[n] * L) @ q[h, n]
    weights = {"a": a, "b": b} if form == "rank-2" else {"shift": f} | ({"a": a, "b": b} if turns else {})
    case(f"grape/{name}", {"form": form, "turns": turns, "dim": K, "heads": H, "style": style}, {"q": q, "positions": p} | weights,
         {"q_rot": out}, "exp(p L)")

# fope as the authors' repository has it in all its configurations (fourier_norm false, rope_clamp_floor_to_zero,
# fourier_ignore_zero, fourier_separate_basis and _head): coefficients as they are, turned as RoPE, both padded with 1
for name, H, K, base, F, L in (("released_few", 2, 16, 1e4, None, 64), ("released_square", 1, 16, 1e4, 4, None),
                               ("released_stepped", 3, 32, 1e4, None, 4096)):
    fope(name, "released", 1, H, K, base, F, L, "FourierEmbedding of TsinghuaC3I/Fourier-Position-Embedding, bd94b20d")
