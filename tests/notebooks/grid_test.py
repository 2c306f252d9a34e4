# SPDX-License-Identifier: Apache-2.0
"""poslab.on_grid and the pictures of grids, on the sample files."""

import unittest

import matplotlib
import numpy as np
import xarray as xr

from samples import SAMPLES  # and where poslab lies

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from poslab import pictures  # noqa: E402
import poslab  # noqa: E402


class Grids(unittest.TestCase):
    """Rows and columns of a grid, with the values 10 row + column."""

    def setUp(self):
        self.run_ = poslab.open(SAMPLES / "grid.h5")

    def test_a_curve_carries_rows_and_columns(self):
        curve = self.run_.curve("nearest_distance", variant="none")
        np.testing.assert_array_equal(curve.position_row, [0, 0, 0, 1, 1, 1])
        np.testing.assert_array_equal(curve.position_column, [0, 1, 2, 0, 1, 2])

    def test_on_grid(self):
        cells = poslab.on_grid(self.run_.curve("nearest_distance", variant="none"))
        self.assertEqual(cells.dims, ("position_row", "position_column"))
        np.testing.assert_array_equal(cells, [[0, 1, 2], [10, 11, 12]])
        self.assertEqual(cells.sel(position_row=1, position_column=2).item(), 12)

    def test_what_is_not_on_a_grid(self):
        curve = poslab.open(SAMPLES / "sample.h5").curve("nearest_distance", scheme="sinusoidal", length=8)
        with self.assertRaisesRegex(ValueError, "no dimension of position is of a grid"):
            poslab.on_grid(curve)

    def test_offsets_need_not_start_at_0(self):
        array = xr.DataArray([1.0, 2, 3], dims="offset", coords={
            "offset": [0, 1, 2], "offset_row": ("offset", [-1.0, 0, 0]), "offset_column": ("offset", [0.0, -1, 0])})
        cells = poslab.on_grid(array)
        np.testing.assert_array_equal(cells.sel(offset_row=0), [2, 3])
        self.assertTrue(np.isnan(cells.sel(offset_row=-1, offset_column=-1)))


class GridPictures(unittest.TestCase):
    """What a heat map shows is the grid: row 0 on top, one pixel a cell, at the cell's own row and column."""

    def setUp(self):
        self.curve = poslab.open(SAMPLES / "grid.h5").curve("nearest_distance", variant="none")
        self.addCleanup(plt.close, "all")

    def test_heat_map(self):
        _, axes = plt.subplots()
        image = pictures.heat_on_grid(axes, self.curve)
        np.testing.assert_array_equal(image.get_array(), [[0, 1, 2], [10, 11, 12]])
        self.assertEqual(tuple(image.get_extent()), (-0.5, 2.5, 1.5, -0.5))
        centred = pictures.heat_on_grid(axes, self.curve, centred=True)
        self.assertEqual(centred.get_clim(), (-12, 12))

    def test_a_code_has_a_panel_for_each_channel(self):
        code = xr.concat([self.curve, -2 * self.curve], "channel").assign_coords(channel=[0, 1])
        axes = pictures.code_on_grid(code, [1, 0])
        np.testing.assert_array_equal(axes[0].images[0].get_array(), [[0, -2, -4], [-20, -22, -24]])
        np.testing.assert_array_equal(axes[1].images[0].get_array(), [[0, 1, 2], [10, 11, 12]])

    def test_a_bias_has_a_panel_for_each_query(self):
        cells = [(0, 0), (0, 1), (1, 0), (1, 1)]
        values = [[10 * (q[0] - k[0]) + q[1] - k[1] for k in cells] for q in cells]
        coords = {"head": [0]}
        for name in ("query_position", "key_position"):
            coords |= {name: range(4), f"{name}_row": (name, [p[0] for p in cells]),
                       f"{name}_column": (name, [p[1] for p in cells])}
        bias = xr.DataArray([values], dims=("head", "query_position", "key_position"), coords=coords)
        axes = pictures.bias_on_grid(bias, [(1, 0), (0, 1)])
        np.testing.assert_array_equal(axes[0].images[0].get_array(), [[10, 9], [0, -1]])
        np.testing.assert_array_equal(axes[1].images[0].get_array(), [[1, 0], [-9, -10]])


if __name__ == "__main__":
    unittest.main()
