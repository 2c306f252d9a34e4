# SPDX-License-Identifier: Apache-2.0
"""Results files in the hands of today's readers: xarray, netCDF4, h5netcdf, cf-units, pint with cf-xarray, Matplotlib.

    readers.py [FILE.h5]     runs a small study of many experiments, unless it is given its results

Every unit is one that both unit libraries take, and none that they take for something else; every axis that xarray labels has a label of
one line; every measure of every experiment is in a DataFrame. Then the tests of Debian's readers (tests/notebooks), where the build has
their sample files.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
import warnings
from collections.abc import Iterator
from pathlib import Path

import cf_units
import cf_xarray.units
import h5py
import matplotlib
import xarray as xr

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "results/python"))

import poslab  # noqa: E402

matplotlib.use("Agg")
SAMPLES = ROOT / "build/release/tests/notebooks/samples"
KNOWN = {"": {"1", "rad", "degree", "turn"}, "second": {"s"}, "byte": {"byte"}}  # by what they come to in base units
LONGEST = 45  # letters of a label


def run_file(folder: Path) -> Path:
    study = ROOT / "tests/notebooks/small.toml"
    made = folder / "small.h5"
    subprocess.run([ROOT / "build/release/bin/poslab", "run", study, "--fresh", "-o", made], check=True, stdout=subprocess.DEVNULL)
    return made


def datasets(path: Path) -> Iterator[tuple[str, dict[str, object]]]:
    found: list[tuple[str, dict[str, object]]] = []
    with h5py.File(path) as file:
        file.visititems(lambda name, item: found.append((name, dict(item.attrs))) if isinstance(item, h5py.Dataset) else None)
    yield from found


class Readers(unittest.TestCase):
    path: Path

    def test_units_are_units(self) -> None:
        units = {str(attrs["units"]) for _, attrs in datasets(self.path) if "units" in attrs}
        self.assertIn("1", units)
        for unit in units:
            with self.subTest(unit=unit):
                self.assertIn(unit, set().union(*KNOWN.values()))
                self.assertFalse(cf_units.Unit(unit).is_unknown())
                self.assertIsNotNone(cf_xarray.units.units.parse_units(unit))

    def test_what_is_counted_has_the_unit_1_and_its_word(self) -> None:
        words = {str(attrs["unit_name"]): attrs["units"] for _, attrs in datasets(self.path) if "unit_name" in attrs}
        self.assertLess({"position", "pairs", "codes", "sd", "nat"}, set(words))
        self.assertEqual({words[word] for word in ("position", "pairs", "codes", "sd", "nat")}, {"1"})

    def test_each_number_says_what_it_is_in_a_label_and_in_a_sentence(self) -> None:
        for name, attrs in datasets(self.path):
            if "long_name" in attrs:
                self.assertIn("description", attrs, name)
                self.assertLessEqual(len(str(attrs["long_name"])), LONGEST, name)

    def test_every_group_opens_and_its_axes_have_labels_of_one_line(self) -> None:
        for engine in ("h5netcdf", "netcdf4"):
            for experiment in [None, *poslab.open(self.path).experiments]:
                with xr.open_dataset(self.path, group=experiment, engine=engine) as group:
                    group.load()
                    for name in group.data_vars:
                        if group[name].dims == ("cell",) and group[name].dtype.kind == "f" and group[name].notnull().any():
                            (line,) = group[name].drop_vars(list(group[name].coords)).plot()
                            self.assertNotIn("\n", line.axes.get_ylabel())
                            self.assertIn(str(name).replace("_", " "), line.axes.get_ylabel())
                            matplotlib.pyplot.close("all")

    def test_every_measure_is_in_a_frame(self) -> None:
        run = poslab.open(self.path)
        for experiment in run.experiments:
            table = run[experiment]
            frame = run.to_dataframe(experiment)
            measures = [*map(str, table.data_vars), *str(table.attrs["curves"]).split()]
            self.assertEqual(set(measures) - set(frame.columns), set(), experiment)
            with self.assertRaisesRegex(KeyError, "no cell has scheme 'rop': did you mean rope"):
                table.sel(scheme="rop")


class Samples(unittest.TestCase):
    """The tests of Debian's readers with these."""

    @unittest.skipUnless(SAMPLES.is_dir(), "the sample files are not built (write_samples)")
    def test_of_debian(self) -> None:
        environment = {**os.environ, "POSLAB_SAMPLES": str(SAMPLES), "PYTHONDONTWRITEBYTECODE": "1"}
        tests = [[f"{name}_test.py"] for name in ("poslab", "grid", "pictures", "league", "untrusted_file")]
        tests += [["open_test.py", reader, str(SAMPLES)] for reader in ("h5py", "none", "h5netcdf", "netcdf4")]
        for name, *arguments in tests:
            with self.subTest(test=" ".join([name, *arguments[:1]])):
                command = [sys.executable, "-W", "error::FutureWarning:poslab", str(ROOT / "tests/notebooks" / name), *arguments]
                done = subprocess.run(command, env=environment, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    warnings.simplefilter("error", FutureWarning)
    with tempfile.TemporaryDirectory() as temporary:
        Readers.path = Path(sys.argv.pop(1)) if len(sys.argv) > 1 else run_file(Path(temporary))
        unittest.main()
