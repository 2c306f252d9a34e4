# SPDX-License-Identifier: Apache-2.0
"""How the notebooks draw: one look a scheme in every picture, logarithms that can show 0, legends beside the panels,
curves that lie on each other told apart, and one setting of a file that has several."""

from poslab.pictures.grids import bias_on_grid, code_on_grid, heat_on_grid
from poslab.pictures.layout import begin, panels, rows_of, save, use_paper_style
from poslab.pictures.legends import legend_below, legend_beside
from poslab.pictures.looks import Looks
from poslab.pictures.profiles import distance_profile
from poslab.pictures.same_curves import coinciding
from poslab.pictures.scales import log_with_zeros, powers_of_two, powers_of_two_from_0

__all__ = [
    "Looks",
    "begin",
    "bias_on_grid",
    "code_on_grid",
    "coinciding",
    "distance_profile",
    "heat_on_grid",
    "legend_below",
    "legend_beside",
    "log_with_zeros",
    "panels",
    "powers_of_two",
    "powers_of_two_from_0",
    "rows_of",
    "save",
    "use_paper_style",
]
