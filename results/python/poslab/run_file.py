# SPDX-License-Identifier: Apache-2.0
"""The cells and numbers of a results file as xarray and pandas see them."""

import json
from collections.abc import Iterable
from typing import Any, NoReturn

import h5py
import numpy as np
import pandas as pd
import xarray as xr

from poslab.advice import INSTEAD, advice, which
from poslab.curves import read_curve
from poslab.flags import texts_of_flags
from poslab.points import point_rows
from poslab.results_file import ResultsFile
from poslab.table import Table, axes_of, has_variants, matching, varying
from poslab.texts import printable


class RunFile(ResultsFile):
    """One results file, read."""

    def __repr__(self) -> str:
        counts = ", ".join(f"{number} {status}" for status, number in self.index.status.value_counts().items())
        state = "" if self.complete else f", interrupted: {len(self.index)} of {self.planned_cells} cells"
        experiments = ", ".join(self.experiments)
        return printable(f"<poslab run {self.title!r}: {experiments}; cells: {counts or 'none'}{state}>")

    def __getattr__(self, name: str) -> NoReturn:  # of what there is not
        experiments = self.__dict__.get("experiments", ())
        if name.startswith("_"):
            raise AttributeError(name)
        if name.replace("_", "-") in experiments:
            hint = f"run[{name.replace('_', '-')!r}]"
        elif name in INSTEAD:
            hint = INSTEAD[name]
        else:
            known = [known for known in (*dir(type(self)), *self.__dict__) if not known.startswith("_")]
            hint = advice(name, known)
            if any(name in names for names in self._known_measures().values()):
                found = [experiment for experiment, names in self._known_measures().items() if name in names]
                hint = f"it is a measure of {', '.join(found)}: run[{found[0]!r}].{name}, or run.curve({name!r}, ...)"
        raise AttributeError(printable(f"a run has no attribute {name!r}: {hint}"))

    def __getitem__(self, experiment: str) -> Table:
        """One row a cell, indexed by what varies (scheme, variant, axes, repeat): `.sel(scheme="rope", length=4096)`
        works. Holds the scalar measures; `.attrs["curves"]` names the others, for `curve`, `cube` and `to_dataframe`.
        """
        table = self.rows(experiment)
        levels = varying(table)
        if len(levels) < 2:  # xarray selects by the name of a level only where there are several
            levels = list(dict.fromkeys(["scheme", *levels, "repeat"]))[:2]
        return Table.of(table, table.attrs).by(levels)

    def rows(self, experiment: str, **where: Any) -> xr.Dataset:
        """The same without the index, of the cells that match: `rows("uniqueness", scheme=["rope", "alibi"])`. Any
        column can be named; a list means any of its values.
        """
        table = self._table(experiment)
        return table.isel(cell=matching(table, where))

    def cube(self, experiment: str, *measures: str) -> xr.Dataset:
        """The measures (default: all scalar ones) as arrays over scheme (or variant, where a scheme has several), every
        axis that varies, and `repeat`; NaN where the study has no cell or the cell has no number.
        """
        table = self.rows(experiment)
        dimensions = ["variant" if has_variants(table) else "scheme"]
        named_apart = ("scheme", "variant", "repeat")
        dimensions += [name for name in varying(table) if name not in named_apart] + ["repeat"]
        order = {name: list(dict.fromkeys(table[name].to_numpy().tolist())) for name in dimensions}
        keys = pd.MultiIndex.from_arrays([table[name].to_numpy() for name in dimensions], names=dimensions)
        if keys.has_duplicates:
            twice = dict(zip(dimensions, keys[keys.duplicated()][0]))
            raise ValueError(f"two cells of {experiment} share {twice}: use rows()")
        scheme_of = dict(zip(table.variant.to_numpy(), table.scheme.to_numpy()))
        self._require_measures(experiment, measures)
        with self._dataset(experiment) as group:
            chosen = group[list(measures) if measures else list(table.data_vars)]
            chosen = chosen.drop_vars(["cell", *(name for name in chosen.coords if name not in chosen.dims)]).load()
        of_cells = chosen.assign_coords({name: ("cell", table[name].to_numpy()) for name in dimensions})
        cube = of_cells.set_index(cell=dimensions).unstack("cell").reindex(order)
        if dimensions[0] == "variant":
            cube = cube.assign_coords(scheme=("variant", [scheme_of[name] for name in order["variant"]]))
        return cube.transpose(*dimensions, ...)

    def over_repeats(self, experiment: str, *measures: str) -> tuple[xr.Dataset, xr.Dataset]:
        """Two datasets like `cube` without `repeat`: mean and standard deviation (of a sample: n - 1) over the repeats
        that have a number; the deviation is NaN where fewer than two have.
        """
        cube = self.cube(experiment, *measures)
        count = cube.count("repeat")
        mean = cube.sum("repeat", keep_attrs=True) / count.where(count > 0)
        return mean, np.sqrt(((cube - mean) ** 2).sum("repeat") / (count - 1).where(count > 1))

    def to_dataframe(self, experiment: str, *measures: str, **where: Any) -> pd.DataFrame:
        """The measures (default: all) for pandas, of the cells that are ok and match, as in `rows`: a row for each point of a curve
        that a cell has, its coordinates in columns beside what the cell is. A scalar stands in every row of its cell. Measures of
        other dimensions have rows of their own, and NaN in those of the others.
        """
        table, found = self._table(experiment), self.rows(experiment, **{"status": "ok", **where})
        self._require_measures(experiment, measures)
        names = list(dict.fromkeys(["scheme", *varying(table), "repeat"]))
        rows = np.flatnonzero(np.isin(table.cell.to_numpy(), found.cell.to_numpy()))
        cells = pd.DataFrame({name: found[name].to_numpy() for name in names}, index=rows)
        with h5py.File(self.current_path, "r") as file:
            return point_rows(file[experiment], measures or self._known_measures()[experiment], cells)

    def curve(self, measure: str, experiment: str | None = None, **where: Any) -> xr.DataArray:
        """One measure of one cell, at the cell's own coordinates; with a dimension `repeat` if the repeats all match.
        `where` names columns until a single cell (and its repeats) is left. Raises LookupError if none is, with the
        reason if it was skipped or failed, and ValueError if several are, with what to add.
        """
        experiment = experiment or self._experiment_of(measure)
        table = self._table(experiment)
        self._require_measures(experiment, [measure])
        found = table.isel(cell=matching(table, where))
        if found.sizes["cell"] == 0:
            raise LookupError(printable(f"no cell of {experiment} has {where}{which(table, where)}"))
        good = found.isel(cell=found.status.to_numpy() == "ok")
        if good.sizes["cell"] == 0:
            state = f"{found.status.item(0)}: {found.message.item(0)}"
            raise LookupError(printable(f"{experiment} with {where} is {state}"))
        open_names = [name for name in varying(good) if name != "repeat"]
        if open_names:
            values = {name: ", ".join(map(str, dict.fromkeys(good[name].to_numpy().tolist()))) for name in open_names}
            choices = "; ".join(f"{name}: {of_name}" for name, of_name in values.items())
            raise ValueError(printable(f"{good.sizes['cell']} cells of {experiment} match {where}; add one of each of "
                                       f"{choices}"))
        with h5py.File(self.current_path, "r") as file:
            rows = np.flatnonzero(np.isin(table.cell.to_numpy(), good.cell.to_numpy()))
            array = read_curve(file[experiment], measure, rows)
        array = array.assign_coords({name: good[name] for name in axes_of(table)})
        return array.isel(cell=0) if array.sizes["cell"] == 1 else array.swap_dims(cell="repeat")

    def scheme_of(self, variant: str, experiments: Iterable[str]) -> tuple[str, dict[str, Any]]:
        """A variant's scheme with the version of its plugin, `fope 1.0`, where the file has it, and the parameters of its cells of the
        first of these experiments that has some.
        """
        for experiment in (name for name in experiments if name in self.experiments):
            table = self.rows(experiment, variant=variant)
            if not table.sizes["cell"]:
                continue
            scheme = str(table.scheme.item(0))
            versions = {one.get("id"): one.get("version", "") for one in self._json_of_provenance("plugins", list) if isinstance(one, dict)}
            return f"{scheme} {versions.get(scheme, '')}".strip(), json.loads(str(table.parameters.item(0)) or "{}")
        raise LookupError(printable(f"none of these experiments has {variant}"))

    def _table(self, experiment: str) -> Table:
        """What has no dimension but `cell`: columns as coordinates, scalar measures as data."""
        self._refresh()
        if experiment not in self._tables:
            if experiment not in self.experiments:
                hint = advice(experiment, self.experiments)
                raise KeyError(printable(f"no experiment {experiment!r} in this run: {hint}"))
            with self._dataset(experiment) as group:
                measures = [name for name in map(str, group.data_vars) if "tolerance_absolute" in group[name].attrs]
                table = group.drop_dims([name for name in group.dims if name != "cell"])
                table = texts_of_flags(table.load()).set_coords(["status", "message", "parameters"])
            table = table.assign_coords(id=("cell", self.index.id.to_numpy()[table.cell.to_numpy()]))
            table = table.drop_vars([name for name in table.data_vars if name not in measures])
            with h5py.File(self.current_path, "r") as file:
                names = list(file[experiment])
            table.attrs["axes"] = " ".join(names[names.index("scheme"):names.index("repeat") + 1])
            table.attrs["curves"] = " ".join(name for name in measures if name not in table)
            table.attrs["own_labels"] = int(any(self.labels[name].parameters is None for name in set(table.variant.to_numpy().tolist())))
            self._tables[experiment] = Table.of(table, table.attrs)
        return self._tables[experiment]

    def _experiment_of(self, measure: str) -> str:
        self._refresh()
        known = self._known_measures()
        found = [experiment for experiment, names in known.items() if measure in names]
        if not found:
            hint = advice(measure, [name for names in known.values() for name in names])
            raise LookupError(printable(f"no experiment of this run has the measure {measure!r}: {hint}"))
        if len(found) > 1:
            raise ValueError(printable(f"{', '.join(found)} have a measure {measure!r}: say which, experiment=..."))
        return found[0]

    def _known_measures(self) -> dict[str, list[str]]:
        tables = {experiment: self._table(experiment) for experiment in self.__dict__.get("experiments", ())}
        return {name: [*map(str, table.data_vars), *table.attrs["curves"].split()] for name, table in tables.items()}

    def _require_measures(self, experiment: str, measures: Iterable[str]) -> None:
        self._table(experiment)  # which must be there
        known = self._known_measures()[experiment]
        for measure in measures:
            if measure not in known:
                raise KeyError(printable(f"{experiment} has no measure {measure!r}: {advice(measure, known)}"))
