# SPDX-License-Identifier: Apache-2.0
"""A run: the cells, numbers and answers of a results file as xarray and pandas see them."""

import stat
from pathlib import Path

import h5py
import numpy as np
import pandas as pd
import xarray as xr

from poslab.advice import INSTEAD, advice, which
from poslab.texts import printable
from poslab.vetting import kind, vet

SCHEMA_VERSION = 1
NOT_EXPERIMENTS = ("trained", "answers", "expectations", "shard", "provenance")
UNTRAINED = "untrained weights"  # the message of a cell whose learnable weights were drawn
MARKS = {"yes": "✓", "no": "✗", "partly": "~", "cannot_tell": "?", "none": ""}  # of answers, as on the terminal
GRID_AXES = ("frame", "row", "column")


def on_grid(array, dimension=None):
    """An array over rows and columns (and frames) instead of over a dimension of a grid: `position` becomes
    `position_row` and `position_column`, NaN where the array has no value. `dimension` is needed where several are of
    grids: a bias has query_position and key_position.
    """
    grids = [name for name in array.dims if f"{name}_row" in array.coords]
    if dimension is None and len(grids) != 1:
        raise ValueError(f"dimensions of a grid: {', '.join(grids) or 'none'}; say which" if grids else
                         f"no dimension of {', '.join(map(str, array.dims))} is of a grid")
    dimension = dimension or grids[0]
    names = [f"{dimension}_{axis}" for axis in GRID_AXES if f"{dimension}_{axis}" in array.coords]
    if not names:
        raise ValueError(f"{dimension} is no dimension of a grid")
    lines = [array[name].to_numpy().astype(int) for name in names]
    if any(line.ndim > 1 for line in lines):
        raise ValueError(f"the cells differ in {', '.join(names)}: take one of them")
    index = pd.MultiIndex.from_arrays(lines, names=names)
    numbers = array.astype(float).drop_vars([dimension, *names])  # with room for NaN
    return numbers.assign_coords({dimension: index}).unstack(dimension)


def varying(table):
    """Of what `run[...]` or `run.rows(...)` gave: the names of what varies between its cells, from scheme to repeat."""
    return _varying(table, axes=_axes(table))


class Table(xr.Dataset):
    """A Dataset whose `to_dataframe` names nothing twice: xarray 2023.01 gives levels of an index as columns too."""

    __slots__ = ()

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            if name.startswith("_"):
                raise
        raise AttributeError(f"no attribute {name!r}: {self._instead(name)}")

    def __getitem__(self, key):
        try:
            return super().__getitem__(key)
        except KeyError:
            if not isinstance(key, str):
                raise
        raise KeyError(f"no {key!r} here: {self._instead(key)}")

    def _instead(self, name):
        if name in self.attrs.get("curves", "").split():
            return printable(f"it has further dimensions: run.curve({name!r}, ...), or run.cube(experiment, {name!r})")
        own = [str(known) for known in (*self.data_vars, *self.coords)]
        return advice(name, own + self.attrs.get("curves", "").split(), own)

    def to_dataframe(self, dim_order=None):
        frame = super().to_dataframe(dim_order)
        return frame.drop(columns=[name for name in frame.index.names if name in frame.columns])


def _kept_names(group):
    return [name for name in group if not name.startswith("axis_")]


class Run:
    """One results file.

    path, title, study_hash, complete, planned_cells: of the run.
    index: a DataFrame of all cells (id, experiment, scheme, variant, status, message, seed, repeat, row).
    experiments: their names, in the study's order.
    """

    def __init__(self, path):
        self.path = Path(path)
        self._stamp = None
        self._refresh()

    def _refresh(self):
        """Reads the index, unless this was done and the file is still the same."""
        status = self.path.stat()  # a missing file speaks for itself
        if not stat.S_ISREG(status.st_mode):  # opening a FIFO would wait for ever for its writer
            raise ValueError(f"{self.path} is {kind(status.st_mode)}, not a regular file; name a results file")
        stamp = (status.st_ino, status.st_mtime_ns, status.st_size)
        if stamp == self._stamp:
            return
        vet(self.path)
        with xr.open_dataset(self.path, engine="h5netcdf") as root:
            if "study_hash" not in root.attrs or "schema_version" not in root.attrs:
                raise ValueError(f"{self.path} is no results file of poslab")
            if int(root.attrs["schema_version"]) > SCHEMA_VERSION:
                version = root.attrs["schema_version"]
                raise ValueError(f"{self.path} has schema version {version}; this poslab.py reads {SCHEMA_VERSION}")
            self.title = root.attrs.get("title", "")
            self.study_hash = root.attrs["study_hash"]
            self.complete = bool(root.attrs["complete"])
            self.planned_cells = int(root.attrs["planned_cells"])
            self.index = _texts_of_flags(root.load()).to_dataframe()
        with h5py.File(self.path, "r") as file:
            groups = [name for name in file if isinstance(file[name], h5py.Group) and name not in NOT_EXPERIMENTS]
        in_order = list(dict.fromkeys(self.index.experiment))
        self.experiments = in_order + [name for name in groups if name not in in_order]
        self._tables = {}
        self._stamp = stamp

    def __repr__(self):
        counts = ", ".join(f"{number} {status}" for status, number in self.index.status.value_counts().items())
        state = "" if self.complete else f", interrupted: {len(self.index)} of {self.planned_cells} cells"
        experiments = ", ".join(self.experiments)
        return printable(f"<poslab run {self.title!r}: {experiments}; cells: {counts or 'none'}{state}>")

    def __getattr__(self, name):  # of what there is not
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

    def __getitem__(self, experiment):
        """One row a cell, indexed by what varies (scheme, variant, axes, repeat): `.sel(scheme="rope", length=4096)`
        and `.to_dataframe()` work. Holds the scalar measures; `.attrs["curves"]` names the others, for `curve` and
        `cube`.
        """
        table = self.rows(experiment)
        levels = _varying(table, axes=_axes(table))
        if len(levels) < 2:  # xarray selects by the name of a level only where there are several
            levels = list(dict.fromkeys(["scheme", *levels, "repeat"]))[:2]
        return Table(table.set_index(cell=levels), attrs=table.attrs)

    def rows(self, experiment, **where):
        """The same without the index, of the cells that match: `rows("uniqueness", scheme=["rope", "alibi"])`. Any
        column can be named; a list means any of its values.
        """
        table = self._table(experiment)
        return table.isel(cell=_matching(table, where))

    def cube(self, experiment, *measures):
        """The measures (default: all scalar ones) as arrays over scheme (or variant, where a scheme has several), every
        axis that varies, and `repeat`; NaN where the study has no cell or the cell has no number.
        """
        table = self.rows(experiment)
        dimensions = ["variant" if _has_variants(table) else "scheme"]
        named_apart = ("scheme", "variant", "repeat")
        dimensions += [name for name in _varying(table, axes=_axes(table)) if name not in named_apart] + ["repeat"]
        order = {name: list(dict.fromkeys(table[name].to_numpy().tolist())) for name in dimensions}
        keys = pd.MultiIndex.from_arrays([table[name].to_numpy() for name in dimensions], names=dimensions)
        if keys.has_duplicates:
            twice = dict(zip(dimensions, keys[keys.duplicated()][0]))
            raise ValueError(f"two cells of {experiment} share {twice}: use rows()")
        scheme_of = dict(zip(table.variant.to_numpy(), table.scheme.to_numpy()))
        self._require_measures(experiment, measures)
        with self._dataset(experiment) as group:
            chosen = group[list(measures) if measures else list(table.data_vars)]
            chosen = chosen.drop_vars([name for name in chosen.coords if name not in chosen.dims]).load()
        cube = chosen.assign_coords(cell=keys).unstack("cell").reindex(order)
        if dimensions[0] == "variant":
            cube = cube.assign_coords(scheme=("variant", [scheme_of[name] for name in order["variant"]]))
        return cube.transpose(*dimensions, ...)

    def over_repeats(self, experiment, *measures):
        """Two datasets like `cube` without `repeat`: mean and standard deviation (of a sample: n - 1) over the repeats
        that have a number; the deviation is NaN where fewer than two have.
        """
        cube = self.cube(experiment, *measures)
        count = cube.count("repeat")
        mean = cube.sum("repeat", keep_attrs=True) / count.where(count > 0)
        return mean, np.sqrt(((cube - mean) ** 2).sum("repeat") / (count - 1).where(count > 1))

    def curve(self, measure, experiment=None, **where):
        """One measure of one cell, at the cell's own coordinates; with a dimension `repeat` if the repeats all match.
        `where` names columns until a single cell (and its repeats) is left. Raises LookupError if none is, with the
        reason if it was skipped or failed, and ValueError if several are, with what to add.
        """
        experiment = experiment or self._experiment_of(measure)
        table = self._table(experiment)
        self._require_measures(experiment, [measure])
        found = table.isel(cell=_matching(table, where))
        if found.sizes["cell"] == 0:
            raise LookupError(printable(f"no cell of {experiment} has {where}{which(table, where)}"))
        good = found.isel(cell=found.status.to_numpy() == "ok")
        if good.sizes["cell"] == 0:
            state = f"{found.status.item(0)}: {found.message.item(0)}"
            raise LookupError(printable(f"{experiment} with {where} is {state}"))
        open_names = [name for name in _varying(good, axes=_axes(good)) if name != "repeat"]
        if open_names:
            values = {name: ", ".join(map(str, dict.fromkeys(good[name].to_numpy().tolist()))) for name in open_names}
            choices = "; ".join(f"{name}: {of_name}" for name, of_name in values.items())
            raise ValueError(printable(f"{good.sizes['cell']} cells of {experiment} match {where}; add one of each of "
                                       f"{choices}"))
        with h5py.File(self.path, "r") as file:
            rows = np.flatnonzero(np.isin(table.cell.to_numpy(), good.cell.to_numpy()))
            array = _read_curve(file[experiment], measure, rows)
        array = array.assign_coords({name: good[name] for name in _axes(table)})
        return array.isel(cell=0) if array.sizes["cell"] == 1 else array.swap_dims(cell="repeat")

    @property
    def failures(self):
        """A DataFrame of the cells that failed, crashed or took too long, with their messages."""
        self._refresh()
        return self.index[~self.index.status.isin(["ok", "skipped"])]

    @property
    def skipped(self):
        """A DataFrame of the cells that were planned as skipped, with the reason."""
        self._refresh()
        return self.index[self.index.status == "skipped"]

    @property
    def kept(self):
        """A DataFrame of the cells that kept what they trained: cell, experiment, scheme, variant, axes, repeat, title,
        steps and the names of the arrays. Empty if the study did not ask for it.
        """
        self._refresh()
        facts = ["cell", "experiment", "scheme", "variant", "parameters", "axes", "repeat", "title", "steps"]
        with h5py.File(self.path, "r") as file:
            groups = file["trained"].values() if "trained" in file else []
            rows = [[group.attrs.get(name, "") for name in facts] + [_kept_names(group)] for group in groups]
        return pd.DataFrame(rows, columns=[*facts, "arrays"]).set_index("cell")

    def trained(self, cell):
        """The arrays that a cell kept, by name (`scheme.table`): a Dataset with the facts of their training in `.attrs`.
        `cell` is its number in `index`; `kept` has those that there are.
        """
        known = self.kept.index.tolist()
        if cell not in known:
            raise LookupError(f"cell {cell} kept no arrays; those that did: {', '.join(map(str, known)) or 'none'}")
        with h5py.File(self.path, "r") as file:
            group = file[f"trained/cell_{cell}"]
            arrays = {name: ([f"axis_{axis}_{extent}" for axis, extent in enumerate(group[name].shape)], group[name][()])
                      for name in _kept_names(group)}
            return xr.Dataset(arrays, attrs=dict(group.attrs))

    @property
    def answers(self):
        """A DataFrame of what each experiment says of each variant: mark, number with its error, unit, sentence."""
        with self._dataset("answers") as group:
            group = _texts_of_flags(group.load())
            table = group.drop_dims("column").to_dataframe()
            columns = group.drop_dims("answer").to_dataframe().set_index("asked")
        return table.join(columns, on="experiment") if len(table) else table.assign(heading="", unit="", legend="")

    @property
    def answer_table(self):
        """The answers as a run ends with them: a row for each variant, a column for each question, `✓ 1.42 ± 0.03`."""
        answers = self.answers
        said = [f"{MARKS[mark]} {number}".strip() for mark, number in zip(answers["mark"], answers["number"])]
        headings = answers.heading + [f" ({unit})" if unit else "" for unit in answers.unit]
        table = answers.assign(said=said, question=headings).pivot(index="variant", columns="question", values="said")
        return table.reindex(index=answers.variant.unique(), columns=headings.unique()).fillna("")

    @property
    def expectations(self):
        """A DataFrame of the study's expectations: declared value and tolerance, measured value, verdict, source."""
        with self._dataset("expectations") as group:
            return _texts_of_flags(group.load()).to_dataframe()

    @property
    def provenance(self):
        """The machine facts, as texts by name; `seconds` is an array, one value a cell."""
        with self._dataset("provenance") as group:
            values = {name: group[name].to_numpy() for name in group.data_vars if not name.startswith("texts_")}
        return {name: value.item() if value.ndim == 0 else value for name, value in values.items()}

    def _dataset(self, group):
        self._refresh()
        return xr.open_dataset(self.path, group=group, engine="h5netcdf")

    def _table(self, experiment):
        """What has no dimension but `cell`: columns as coordinates, scalar measures as data."""
        self._refresh()
        if experiment not in self._tables:
            if experiment not in self.experiments:
                hint = advice(experiment, self.experiments)
                raise KeyError(printable(f"no experiment {experiment!r} in this run: {hint}"))
            with self._dataset(experiment) as group:
                measures = [name for name in group.data_vars if "tolerance_absolute" in group[name].attrs]
                table = group.drop_dims([name for name in group.dims if name != "cell"])
                table = _texts_of_flags(table.load()).set_coords(["status", "message", "parameters"])
            table = table.assign_coords(id=("cell", self.index.id.to_numpy()[table.cell.to_numpy()]))
            table = table.drop_vars([name for name in table.data_vars if name not in measures])
            table.attrs["curves"] = " ".join(name for name in measures if name not in table)
            self._tables[experiment] = Table(table, attrs=table.attrs)
        return self._tables[experiment]

    def _experiment_of(self, measure):
        self._refresh()
        known = self._known_measures()
        found = [experiment for experiment, names in known.items() if measure in names]
        if not found:
            hint = advice(measure, [name for names in known.values() for name in names])
            raise LookupError(printable(f"no experiment of this run has the measure {measure!r}: {hint}"))
        if len(found) > 1:
            raise ValueError(printable(f"{', '.join(found)} have a measure {measure!r}: say which, experiment=..."))
        return found[0]

    def _known_measures(self):
        tables = {experiment: self._table(experiment) for experiment in self.__dict__.get("experiments", ())}
        return {name: [*map(str, table.data_vars), *table.attrs["curves"].split()] for name, table in tables.items()}

    def _require_measures(self, experiment, measures):
        self._table(experiment)  # which must be there
        known = self._known_measures()[experiment]
        for measure in measures:
            if measure not in known:
                raise KeyError(printable(f"{experiment} has no measure {measure!r}: {advice(measure, known)}"))


def _texts_of_flags(dataset):
    """`status` and `verdict` in words."""
    for name in [name for name in dataset.variables if "flag_meanings" in dataset[name].attrs]:
        flags = dataset[name]
        words = dict(zip(np.atleast_1d(flags.attrs["flag_values"]).tolist(), flags.attrs["flag_meanings"].split()))
        text = np.array([words[value] for value in flags.to_numpy().tolist()], dtype=object)
        dataset = dataset.assign({name: (flags.dims, text, {"long_name": flags.attrs.get("long_name", "")})})
    return dataset


def _axes(table):
    """The columns that say what a cell is, from scheme to repeat; after it come parameters, which the variant tells."""
    names = [name for name in table.coords if table[name].dims == ("cell",)]
    return [name for name in names[: names.index("repeat") + 1] if name != "cell"]


def _has_variants(table):
    return len(set(table.variant.to_numpy())) > len(set(table.scheme.to_numpy()))


def _varying(table, axes):
    """Those of `axes` with more than one value; variant only where it says more than scheme."""
    several = [name for name in axes if len(set(table[name].to_numpy().tolist())) > 1]
    return [name for name in several if name != "variant" or _has_variants(table)]


def _matching(table, where):
    match = np.ones(table.sizes["cell"], dtype=bool)
    for name, wanted in where.items():
        if name not in table.coords:
            raise KeyError(printable(f"there is no column {name!r}: {advice(name, map(str, table.coords))}"))
        match &= np.isin(table[name].to_numpy(), np.atleast_1d(wanted))
    return match


def _read_curve(group, measure, rows):
    """The rows of a measure, at the coordinates that any of them has (results/schema.md, "Curves")."""
    dataset = group[measure]
    dimensions = [axis[0].name.rpartition("/")[2] for axis in dataset.dims]
    indices = {name: _indices(group, name, rows) for name in dimensions[1:]}  # along each, of the coordinates to read
    boxes = tuple(slice(of_name[0], of_name[-1] + 1) if len(of_name) else slice(0) for of_name in indices.values())
    values = np.stack([dataset[(row, *boxes)] for row in rows])
    for axis, of_name in enumerate(indices.values(), start=1):
        values = np.take(values, of_name - (of_name[0] if len(of_name) else 0), axis=axis)
    array = xr.DataArray(values, dims=dimensions, name=measure, attrs=_described(dataset))
    for name, of_name in indices.items():
        array = array.assign_coords({name: (name, group[name][()][of_name], _described(group[name]))})
        for coordinate in [f"{name}_{axis}" for axis in (*GRID_AXES, "value") if f"{name}_{axis}" in group]:
            lines = group[coordinate][rows][:, of_name]  # NaN in the rows of cells that are shorter
            same = (lines == lines[0]).all()
            array = array.assign_coords({coordinate: (name, lines[0]) if same else (("cell", name), lines)})
    return array


def _indices(group, dimension, rows):
    if f"{dimension}_count" in group:
        return np.arange(group[f"{dimension}_count"][()][rows].max())
    return np.flatnonzero(group[f"{dimension}_used"][rows].any(axis=0))


def _described(dataset):
    hidden = ("CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST", "_FillValue", "coordinates")
    return {key: value for key, value in dataset.attrs.items() if key not in hidden}
