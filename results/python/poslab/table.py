# SPDX-License-Identifier: Apache-2.0
"""The cells of an experiment as a table: its columns, what varies between its rows, which rows match."""

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray
from xarray.indexes import PandasMultiIndex

from poslab.advice import advice
from poslab.texts import printable


class Levels(PandasMultiIndex):
    """What a table is indexed by. `sel` says of a label that no cell has what there is."""

    def sel(self, labels: dict[Any, Any], method: Any = None, tolerance: Any = None) -> Any:
        try:
            return super().sel(labels, method, tolerance)
        except KeyError:
            if any(isinstance(wanted, slice) for wanted in labels.values()):
                raise
        raise KeyError(printable(self._missing(labels)))

    def _missing(self, labels: Mapping[Any, Any]) -> str:
        cells = self.index.to_frame(index=False)
        asked = {name: wanted for name, wanted in labels.items() if name in cells}
        for name, wanted in asked.items():
            there = list(dict.fromkeys(cells[name].tolist()))
            if not np.isin(np.asarray(there), np.atleast_1d(wanted)).any():
                return f"no cell has {name} {wanted!r}: {advice(wanted, map(str, there))}"
        return f"no cell has all of {asked or labels}: run.rows(experiment) has those that there are"


class Table(xr.Dataset):  # type: ignore[no-untyped-call]  # of its __init_subclass__
    """A Dataset whose `to_dataframe` names nothing twice: xarray 2023.01 gives levels of an index as columns too."""

    __slots__ = ()

    @classmethod
    def of(cls, dataset: xr.Dataset, attrs: Mapping[str, Any]) -> "Table":
        return cls(dataset.data_vars, coords=dataset.coords, attrs=dict(attrs))

    def by(self, levels: list[str]) -> "Table":
        """Indexed by these columns, of which there are at least two."""
        return self.drop_vars("cell").set_xindex(levels, Levels)

    def sel(self, indexers: Any = None, method: Any = None, tolerance: Any = None, drop: bool = False, **labels: Any) -> Any:
        for name in {**(indexers or {}), **labels}:
            if name not in self.indexes:
                raise KeyError(printable(f"{name!r} is nothing that varies here: {advice(name, map(str, self.indexes))}; run.rows(experiment, "
                                         "...) takes any column"))
        return super().sel(indexers, method, tolerance, drop, **labels)

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError:
            if name.startswith("_"):
                raise
        raise AttributeError(f"no attribute {name!r}: {self._instead(name)}")

    def __getitem__(self, key: Any) -> Any:
        try:
            return super().__getitem__(key)
        except KeyError:
            if not isinstance(key, str):
                raise
        raise KeyError(f"no {key!r} here: {self._instead(key)}")

    def _instead(self, name: str) -> str:
        if name in self.attrs.get("curves", "").split():
            return printable(f"it has further dimensions: run.curve({name!r}, ...), or run.cube(experiment, {name!r})")
        own = [str(known) for known in (*self.data_vars, *self.coords)]
        return advice(name, own + self.attrs.get("curves", "").split(), own)

    def to_dataframe(self, dim_order: Any = None) -> pd.DataFrame:
        """A row for each cell. Warns of the measures that are curves, which have no place in it."""
        if self.attrs.get("curves"):
            warnings.warn(f"left out, since they are curves: {self.attrs['curves'].replace(' ', ', ')}; run.to_dataframe(experiment) "
                          "has a row for each point of theirs", stacklevel=2)
        frame = super().to_dataframe(dim_order)
        return frame.drop(columns=[name for name in frame.index.names if name in frame.columns])


def axes_of(table: xr.Dataset) -> list[str]:
    """The columns that say what a cell is, from scheme to repeat, in the file's order, which xarray does not always keep."""
    return [name for name in table.attrs["axes"].split() if name in table.coords]


def has_variants(table: xr.Dataset) -> bool:
    """Whether variants say more than schemes: there are more of them, or the study has labels of its own."""
    schemes, variants = table.scheme.to_numpy().tolist(), table.variant.to_numpy().tolist()
    return bool(table.attrs.get("own_labels")) or len(set(variants)) > len(set(schemes))


def varying(table: xr.Dataset) -> list[str]:
    """The names of what varies between the cells of what `run[...]` or `run.rows(...)` gave, from scheme to repeat;
    variant only where it says more than scheme.
    """
    several = [name for name in axes_of(table) if len(set(table[name].to_numpy().tolist())) > 1]
    return [name for name in several if name != "variant" or has_variants(table)]


def matching(table: xr.Dataset, where: Mapping[str, Any]) -> NDArray[Any]:
    match = np.ones(table.sizes["cell"], dtype=bool)
    for name, wanted in where.items():
        if name not in table.coords:
            raise KeyError(printable(f"there is no column {name!r}: {advice(name, map(str, table.coords))}"))
        match &= np.isin(table[name].to_numpy(), np.atleast_1d(wanted))
    return match
