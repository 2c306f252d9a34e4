# SPDX-License-Identifier: Apache-2.0
"""A results file: its index, and what it holds besides measures: answers, expectations, trained arrays, provenance."""

import json
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pandas as pd
import xarray as xr

from poslab.answers import as_table, read_answers
from poslab.flags import texts_of_flags, weights_states_by_notes
from poslab.labels import Label, labels_of
from poslab.table import Table
from poslab.vetting import kind, vet

SCHEMA_VERSION = 1
NOT_EXPERIMENTS = ("trained", "answers", "expectations", "shard", "provenance")
DOUBTFUL = ("failed", "never checked in this build")  # results of checks in provenance/plugin_checks


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
        self.path = Path(path)
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
        with xr.open_dataset(self.path, engine="h5netcdf") as root:
            if "study_hash" not in root.attrs or "schema_version" not in root.attrs:
                raise ValueError(f"{self.path} is no results file of poslab")
            if int(root.attrs["schema_version"]) > SCHEMA_VERSION:
                version = root.attrs["schema_version"]
                raise ValueError(f"{self.path} has schema version {version}; this package reads {SCHEMA_VERSION}")
            self.title = root.attrs.get("title", "")
            self.study_hash = root.attrs["study_hash"]
            self.complete = bool(root.attrs["complete"])
            self.planned_cells = int(root.attrs["planned_cells"])
            self.index = texts_of_flags(root.load()).to_dataframe()
        if "weights_state" not in self.index:  # schema 1.0: only the note said it
            self.index["weights_state"] = weights_states_by_notes(self.index)
        self.labels: dict[str, Label] = labels_of(self.index)
        with h5py.File(self.path, "r") as file:
            groups = [name for name in file if isinstance(file[name], h5py.Group) and name not in NOT_EXPERIMENTS]
        in_order = list(dict.fromkeys(self.index.experiment))
        self.experiments = in_order + [name for name in groups if name not in in_order]
        self._tables: dict[str, Table] = {}  # of experiments, once somebody has asked for one
        self._stamp = stamp

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
        with h5py.File(self.path, "r") as file:
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
        with h5py.File(self.path, "r") as file:
            group = file[f"trained/cell_{cell}"]
            arrays = {name: ([f"axis_{axis}_{extent}" for axis, extent in enumerate(group[name].shape)], group[name][()])
                      for name in _kept_names(group)}
            return xr.Dataset(arrays, attrs=dict(group.attrs))

    @property
    def answers(self) -> pd.DataFrame:
        """A DataFrame of what each experiment says of each variant: mark, number as a text and its first one as `value`
        with its standard `error` (or the interval from `low` to `high`), unit, sentence; `silent` where it says nothing,
        `worded` where its first number is a word; `state` how that comes, `point` where its numbers were measured, which
        the legend and odd numbers say, too; `trained` the list of what is said of trained weights.
        """
        with self._dataset("answers") as group:
            table = read_answers(group.load())
        table["trained"] = self._trainings(table)
        return table

    def _trainings(self, table: pd.DataFrame) -> list[list[str]]:
        """What is said of trained weights, of each answer; older files have one text for each, or none."""
        with h5py.File(self.path, "r") as file:
            found = file.get("answers/trainings")
            if found is None:
                return [[text] if text else [] for text in table.get("trained", [""] * len(table))]
            notes = found["note"].asstr()[()]
            return [notes[found["of_answer"][()] == answer].tolist() for answer in range(len(table))]

    @property
    def answer_table(self) -> pd.DataFrame:
        """The answers as a run ends with them: a row for each variant, a column for each question, `✓ 1.42 ± 0.03`."""
        return as_table(self.answers)

    @property
    def doubts(self) -> dict[str, str]:
        """What is to be said of the plugin of a scheme: that `poslab check` refuted it, or that nobody has checked it."""
        found = {scheme: check for scheme, check in self._json_of_provenance("plugin_checks", dict).items()
                 if isinstance(check, dict) and isinstance(check.get("failed"), list)}  # older files have texts
        return {scheme: f"poslab check of {scheme}: {', '.join([check['result'], *map(str, check['failed'])])}"
                for scheme, check in found.items() if check.get("result") in DOUBTFUL}

    @property
    def weights_files(self) -> list[str]:
        """The names of the files of trained weights and networks that the run was given, with what notes on weights call them."""
        supply = [one for one in self._json_of_provenance("supply", list) if isinstance(one, dict) and {"weights", "network"} & set(one)]
        return [f"{Path(str(one.get('path', ''))).name} (file {str(one.get('sha256', ''))[:8]})" for one in supply]

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
        return xr.open_dataset(self.path, group=group, engine="h5netcdf")
