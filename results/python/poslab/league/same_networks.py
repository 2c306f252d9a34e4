# SPDX-License-Identifier: Apache-2.0
"""Variants that are one scheme in a run: all that is measured of their networks is the same, bit for bit."""

from __future__ import annotations

from collections.abc import Iterator

import h5py

from poslab.league.scores import SIZES
from poslab.run_file import RunFile
from poslab.table import axes_of

SCHEME_MEASURES = ("is_control",)  # it says what a scheme looks at, and nothing of a network

Network = tuple[str, ...]  # its experiment, axes and repeat


def same_networks(run: RunFile) -> dict[str, str]:
    """Variant -> the first one of the run whose networks it has: those of the same tasks, axes and repeats, with the same bits in
    every measure and curve. Only variants all of whose networks were trained are compared.
    """
    measured: dict[str, dict[Network, bytes]] = {}
    for experiment in (name for name in run.experiments if name in SIZES):
        for variant, network, numbers in _networks(run, experiment):
            measured.setdefault(variant, {})[network] = numbers
    first: dict[frozenset[tuple[Network, bytes]], str] = {}
    found = {}
    for variant, networks in measured.items():
        if not all(networks.values()):
            continue
        one = first.setdefault(frozenset(networks.items()), variant)
        if one != variant:
            found[variant] = one
    return found


def _networks(run: RunFile, experiment: str) -> Iterator[tuple[str, Network, bytes]]:
    """Variant, which network, and the bits of all that is measured of it; none where it was not trained."""
    table = run.rows(experiment)
    axes = [table[name].to_numpy().tolist() for name in axes_of(table) if name not in ("scheme", "variant")]
    with h5py.File(run.current_path, "r") as file:
        group = file[experiment]
        names = [name for name in group if "tolerance_absolute" in group[name].attrs and name not in SCHEME_MEASURES]
        columns = [group[name][()] for name in names]
    for i, (variant, status) in enumerate(zip(table.variant.to_numpy().tolist(), table.status.to_numpy().tolist())):
        numbers = b"".join(column[i].tobytes() for column in columns) if status == "ok" else b""
        yield str(variant), (experiment, *(str(axis[i]) for axis in axes)), numbers
