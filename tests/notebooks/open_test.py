# SPDX-License-Identifier: Apache-2.0
"""Opens the sample files with one reader: python open_test.py (h5py|none|h5netcdf|netcdf4) DIRECTORY.

A file that a reader cannot take may crash it, so each has its own process; a reader that warns fails.
"""

import sys
import warnings

import numpy as np

GROUPS = ["uniqueness", "relative-shift", "answers", "answers/rows", "answers/legends", "answers/signs", "expectations", "provenance"]
ROPE = "rope(style=half-split, base=10000.0)"


def with_h5py(path):
    import h5py

    def load(group):
        with h5py.File(path, "r") as file:
            found = file[group] if group else file
            values = {}
            for name, item in found.items():
                if not isinstance(item, h5py.Dataset):
                    continue
                text = h5py.check_string_dtype(item.dtype)
                values[name] = item.asstr()[()] if text else item[()]
                scales = all(len(axis) == 1 for axis in item.dims) or h5py.h5ds.is_scale(item.id)
                assert scales, f"{name} has an axis without a scale"
                assert not text or text.length is None and text.encoding == "utf-8", f"{name} is text of fixed length"
            return values, {name: dict(found[name].attrs) for name in values}, dict(found.attrs)

    return load


def with_xarray(path, engine):
    import xarray as xr

    def load(group):
        with xr.open_dataset(path, group=group, engine=engine) as dataset:
            dataset.load()
            assert not any("phony" in str(name) for name in dataset.dims), dataset.dims
            for name in dataset.variables:
                if "tolerance_absolute" in dataset[name].attrs:
                    lost = {"scheme", "variant", "length", "repeat"} - set(dataset[name].coords)
                    assert not lost, f"{name} lost its coordinates {lost}"
                    if "position_row" in dataset and "position" in dataset[name].dims:
                        assert {"position_row", "position_column"} <= set(dataset[name].coords), name
            return ({name: dataset[name].to_numpy() for name in dataset.variables},
                    {name: dataset[name].attrs for name in dataset.variables}, dataset.attrs)

    return load


def check_sample(load):
    root, _, attributes = load(None)
    assert attributes["Conventions"] == "CF-1.10" and attributes["schema_version"] == 2
    assert attributes["title"] == "A made-up run" and attributes["complete"] == 1 and attributes["planned_cells"] == 45
    assert list(root["experiment"][[0, 14, 15, 44]]) == ["uniqueness", "uniqueness", "relative-shift", "relative-shift"]
    assert len(set(root["id"])) == 45 and root["seed"][0] == 20261121
    assert root["status"][14] == 4 and root["message"][14] == "a table of 8 rows has no position 8"

    group, of, attributes = load("uniqueness")
    assert attributes["title"] == "Uniqueness"
    assert list(group["scheme"][[0, 3, 6]]) == ["none", "sinusoidal", "rope"] and group["variant"][6] == ROPE
    assert list(group["style"][[0, 6]]) == ["", "half-split"]
    assert np.isnan(group["base"][0]) and group["base"][9] == 500000 and group["learned_length"][12] == 8
    assert group["length"].dtype == np.int64 and list(group["length"][:3]) == [4, 8, 16]
    assert of["nearest_distance"]["units"] == "1"
    assert of["nearest_distance"]["long_name"] == "nearest distance"
    assert of["nearest_distance"]["description"] == "distance to the nearest signature"
    assert of["position"]["units"] == "1" and of["position"]["unit_name"] == "position"
    assert of["status"]["flag_meanings"] == "ok failed crashed timeout skipped"
    assert list(np.atleast_1d(of["status"]["flag_values"])) == [0, 1, 2, 3, 4]
    curve = group["nearest_distance"]
    assert curve.shape == (15, 16) and list(group["position_count"][:3]) == [4, 8, 16]
    expected = np.sin(4 + 0.1 * len(ROPE) + len("nearest_distance")) + np.arange(4) / 3
    assert np.allclose(curve[6, :4], expected, rtol=0, atol=1e-14)
    assert np.isnan(curve[6, 4:]).all() and np.isnan(curve[14]).all()

    group, _, _ = load("relative-shift")
    assert group["message"][28] == "logits are nan at query 3 \u2014 caf\ufffd"
    assert list(group["shift"]) == [1, 10, 100] and list(group["shift_used"][0]) == [1, 0, 1]
    assert list(group["residual"][[0, 3]]) == [False, True]
    assert np.isnan(group["content_error"][0, 1]) and not np.isnan(group["content_error"][0, [0, 2]]).any()
    assert group["share"].shape == (30, 3, 2) and group["shift_list"][0] == "[1, 100]"

    group, of, _ = load("provenance")
    assert str(group["study"]) == 'title = "A made-up run"\n'
    assert group["seconds"].dtype == np.float64 and of["seconds"]["units"] == "s" and group["seconds"][0] == 0.25


def check_long(load):
    curve = load("uniqueness")[0]["nearest_distance"]
    assert curve.shape == (15, 20000)
    assert np.isnan(curve[0, 4:]).all() and not np.isnan(curve[2]).any()


def check_grid(load):
    assert load(None)[2]["positions"] == "{ grid = [2, 3] }"
    group, of, _ = load("uniqueness")
    assert list(group["position"]) == [0, 1, 2, 3, 4, 5]
    assert list(group["position_row"][0]) == [0, 0, 0, 1, 1, 1]
    assert list(group["position_column"][4]) == [0, 1, 2, 0, 1, 2]
    assert np.isnan(group["position_row"][1]).all()  # a skipped cell has no positions
    assert list(group["nearest_distance"][0]) == [0, 1, 2, 10, 11, 12]
    assert of["position_row"]["unit_name"] == "position" and of["position_row"]["description"] == "row of each position"


def check_empty(load):
    assert load(None)[0]["id"].shape == (0,) and load(None)[2]["complete"] == 0
    assert load("uniqueness")[0]["nearest_distance"].shape == (0, 0)
    assert load("expectations")[0]["value"].shape == (0,)


def check_tree(path, engine):
    """The file as one DataTree: a group's dimensions have the lengths that they have in the groups around it."""
    import xarray as xr

    if not hasattr(xr, "open_datatree"):  # before 2024.10
        return
    with xr.open_datatree(path, engine=engine) as tree:
        assert tree["uniqueness"].sizes["cell"] < tree.sizes["run_cell"]
        assert "run_cell" not in tree["uniqueness"].to_dataset().dims


def main(reader, directory):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "numpy.ndarray size changed")  # Debian's build of netCDF4, whatever the file
        if reader == "netcdf4":
            import netCDF4  # noqa: F401
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", "numpy.ndarray size changed")
    for name, check in (("sample", check_sample), ("long", check_long), ("empty", check_empty), ("grid", check_grid)):
        path = f"{directory}/{name}.h5"
        load = with_h5py(path) if reader == "h5py" else with_xarray(path, None if reader == "none" else reader)
        for group in [group for group in GROUPS if name != "grid" or group != "relative-shift"]:
            load(group)
        check(load)
        if reader in ("h5netcdf", "netcdf4") and name == "sample":
            check_tree(path, reader)


if __name__ == "__main__":
    main(*sys.argv[1:])
