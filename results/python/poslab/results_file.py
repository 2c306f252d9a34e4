# SPDX-License-Identifier: Apache-2.0
"""A results file: its index, and what it holds besides measures: answers, expectations, trained arrays, provenance."""

import json
import os
import shutil
import stat
import tempfile
import weakref
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pandas as pd
import xarray as xr

from poslab.answers import as_table, read_answers
from poslab.earlier_schema import upgrade
from poslab.flags import texts_of_flags
from poslab.labels import Label, labels_of
from poslab.table import Table
from poslab.vetting import kind, vet

SCHEMA_VERSION = 2
NOT_EXPERIMENTS = ("trained", "answers", "expectations", "shard", "provenance")


def refuse_what_a_run_has_beside_results(path: Path) -> None:
    """A study, or a journal: the names differ in their ends alone, and what HDF5 says of them helps nobody."""
    instead = {".toml": "is a study or another text, and results are wanted; poslab run writes the results of study.toml into "
                        "study.h5: open that file",
               ".journal": "is the journal of a run, and results are wanted; open the file beside it whose name has no .journal, "
                           "and see poslab status for the run"}
    if path.suffix in instead and not h5py.is_hdf5(path):
        raise ValueError(f"{path} {instead[path.suffix]}")


def _program(git_commit: str) -> str:
    commit, *changed = git_commit.split("-")
    return "-".join([f"poslab {commit[:8]}", *changed]) if commit not in ("", "unknown") else "poslab of an unknown commit"


def _kept_names(group: h5py.Group) -> list[str]:
    return [name for name in group if not name.startswith("axis_")]


class ResultsFile:
    """What is read of the whole file, and read anew where it was replaced."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = self.current_path = Path(path)
        self._stamp: tuple[int, int, int] | None = None
        self._refresh()

    def _refresh(self) -> None:
        """Reads the index, unless this was done and the file is still the same."""
        status = self.path.stat()  # a missing file speaks for itself
        if not stat.S_ISREG(status.st_mode):  # opening a FIFO would wait for ever for its writer
            raise ValueError(f"{self.path} is {kind(status.st_mode)}, not a regular file; name a results file")
        stamp = (status.st_ino, status.st_mtime_ns, status.st_size)
        if stamp == self._stamp:
            return
        refuse_what_a_run_has_beside_results(self.path)
        vet(self.path)
        self.current_path = self._in_todays_schema()
        with xr.open_dataset(self.current_path, engine="h5netcdf") as root:
            self.title = root.attrs.get("title", "")
            self.study_hash = root.attrs["study_hash"]
            self.complete = bool(root.attrs["complete"])
            self.planned_cells = int(root.attrs["planned_cells"])
            cells = root.drop_dims([name for name in root.dims if name != "run_cell"])
            self.index = texts_of_flags(cells.load()).to_dataframe().rename_axis("cell")
        self.labels: dict[str, Label] = labels_of(self.index)
        with h5py.File(self.current_path, "r") as file:
            groups = [name for name in file if isinstance(file[name], h5py.Group) and name not in NOT_EXPERIMENTS]
        in_order = list(dict.fromkeys(self.index.experiment))
        self.experiments = in_order + [name for name in groups if name not in in_order]
        self._tables: dict[str, Table] = {}  # of experiments, once somebody has asked for one
        self._stamp = stamp

    def _in_todays_schema(self) -> Path:
        """The file itself, or a copy of one of an earlier schema, which goes with this run. Raises ValueError where it is of neither."""
        with h5py.File(self.path, "r") as file:
            if "study_hash" not in file.attrs or "schema_version" not in file.attrs:
                raise ValueError(f"{self.path} is no results file of poslab")
            version, minor = int(file.attrs["schema_version"]), int(file.attrs.get("schema_minor", 0))
        if version > SCHEMA_VERSION:
            raise ValueError(f"{self.path} has schema version {version}; this package reads {SCHEMA_VERSION}")
        if version == SCHEMA_VERSION:
            return self.path
        folder = tempfile.mkdtemp(prefix="poslab-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        copy = Path(folder) / self.path.name
        upgrade(self.path, copy, f"{version}.{minor}")
        return copy

    @property
    def failures(self) -> pd.DataFrame:
        """A DataFrame of the cells that failed, crashed or took too long, with their messages."""
        self._refresh()
        return self.index[~self.index.status.isin(["ok", "skipped"])]

    @property
    def skipped(self) -> pd.DataFrame:
        """A DataFrame of the cells that were planned as skipped, with the reason."""
        self._refresh()
        return self.index[self.index.status == "skipped"]

    @property
    def kept(self) -> pd.DataFrame:
        """A DataFrame of the cells that kept what they trained: cell, experiment, scheme, variant, axes, repeat, title,
        steps and the names of the arrays. Empty if the study did not ask for it.
        """
        self._refresh()
        facts = ["cell", "experiment", "scheme", "variant", "parameters", "axes", "repeat", "title", "steps"]
        with h5py.File(self.current_path, "r") as file:
            groups = file["trained"].values() if "trained" in file else []
            rows = [[group.attrs.get(name, "") for name in facts] + [_kept_names(group)] for group in groups]
        return pd.DataFrame(rows, columns=[*facts, "arrays"]).set_index("cell")

    def trained(self, cell: int) -> xr.Dataset:
        """The arrays that a cell kept, by name (`scheme.table`): a Dataset with the facts of their training in `.attrs`.
        `cell` is its number in `index`; `kept` has those that there are.
        """
        known = self.kept.index.tolist()
        if cell not in known:
            raise LookupError(f"cell {cell} kept no arrays; those that did: {', '.join(map(str, known)) or 'none'}")
        with h5py.File(self.current_path, "r") as file:
            group = file[f"trained/cell_{cell}"]
            arrays = {name: ([f"axis_{axis}_{extent}" for axis, extent in enumerate(group[name].shape)], group[name][()])
                      for name in _kept_names(group)}
            return xr.Dataset(arrays, attrs=dict(group.attrs))

    @property
    def answers(self) -> pd.DataFrame:
        """A DataFrame of what each experiment says of each variant, as the file has it: mark and its sign, the text behind that
        in a table (`compact`: errors in units of the last digit), the numbers alone as a text and the first one as `value` with its
        standard `error` (or the interval from `low` to `high`), sentence; `needs_reason` where the sentence says why there is
        nothing else; `state` how that comes, `point` where its numbers were measured; heading, unit, legend and usual point
        (`column_point`) of its column; `trained` the list of what is said of trained weights.
        """
        with self._dataset("answers") as group:
            table = read_answers(group.load())
        with self._dataset("answers/trainings") as group:
            answer_index, notes = group.answer_index.to_numpy(), group.note.to_numpy()
        table["trained"] = [notes[answer_index == answer].tolist() for answer in range(len(table))]
        return table

    @property
    def answer_signs(self) -> pd.DataFrame:
        """A DataFrame of the signs in the table of answers: sign, kind (mark, cell, name, number), form (both, text, compact: beside
        which texts of answers), meaning in a word or two, sentence in full.
        """
        with self._dataset("answers/signs") as group:
            return texts_of_flags(group.load()).to_dataframe()

    @property
    def signs_of_names(self) -> dict[str, str]:
        """The signs behind the name of each variant that has an answer: `!*†`."""
        doubted = self.doubts
        with self._dataset("answers/rows") as group:
            rows = zip(group.variant.to_numpy().tolist(), group.signs.to_numpy().tolist())
            return {variant: ("!" if variant in doubted else "") + "".join(signs.split()) for variant, signs in rows}

    @property
    def answer_table(self) -> pd.DataFrame:
        """The answers as a run ends with them: a row for each variant, a column for each question, `✓ 1.42 ± 0.03`."""
        return as_table(self.answers)

    @property
    def doubts(self) -> dict[str, str]:
        """Variants, each with the sentence that their plugin was refuted by `poslab check`, or that nobody has checked it."""
        return {variant: str(sentence) for variant, sentence in self._json_of_provenance("doubts", dict).items()}

    @property
    def weights_files(self) -> list[str]:
        """Sentences on the files of trained weights and networks that the run was given: `weights from rope.h5 (file 0a1b2c3d)`."""
        return [*map(str, self._json_of_provenance("weights_from", list))]

    @property
    def files(self) -> dict[str, str]:
        """The SHA-256 of each file that the cells were given by `--data`, by name."""
        supply = [one for one in self._json_of_provenance("supply", list) if isinstance(one, dict) and "name" in one]
        return {str(one["name"]): str(one.get("sha256", "")) for one in supply}

    def build_of(self, variant: str, experiments: Iterable[str]) -> str:
        """By what its cells were performed: the commit of the program, or of the one that wrote an older file, where it is known, and
        the versions of these experiments, if it has them."""
        versions = self._json_of_provenance("experiment_versions", dict)
        builds = [one for one in self._json_of_provenance("builds", list) if isinstance(one, dict) and isinstance(one.get("variants"), list)]
        commits = [str(one.get("git_commit", "")) for one in builds if variant in one["variants"]]
        made_by = " and ".join(map(_program, commits or [str(self.provenance.get("git_commit", ""))]))
        return ", ".join([made_by, *(f"{name} {versions[name]}" for name in sorted(experiments) if name in versions)])

    def _json_of_provenance(self, name: str, kind: type[Any]) -> Any:
        """A list or an object; empty if there is none: the file may be anybody's."""
        try:
            found = json.loads(str(self.provenance.get(name, "")))
        except (ValueError, RecursionError):  # or lists in lists without end
            return kind()
        return found if isinstance(found, kind) else kind()

    @property
    def expectations(self) -> pd.DataFrame:
        """A DataFrame of the study's expectations: declared value and tolerance, measured value, verdict, source."""
        with self._dataset("expectations") as group:
            return texts_of_flags(group.load()).to_dataframe()

    @property
    def provenance(self) -> dict[str, Any]:
        """The machine facts, as texts by name; `seconds` is an array, one value a cell."""
        with self._dataset("provenance") as group:
            values = {name: group[name].to_numpy() for name in map(str, group.data_vars) if not name.startswith("texts_")}
        return {name: value.item() if value.ndim == 0 else value for name, value in values.items()}

    def _dataset(self, group: str) -> xr.Dataset:
        self._refresh()
        return xr.open_dataset(self.current_path, group=group, engine="h5netcdf")
