# SPDX-License-Identifier: Apache-2.0
"""The run that `poslab.open` gives: what a results file holds, and what is made of it."""

from typing import Any

from poslab.league import League
from poslab.needed import PICTURES, require
from poslab.report import as_latex
from poslab.report.page import Page
from poslab.run_file import RunFile


class Run(RunFile):
    """One results file.

    path, title, study_hash, complete, planned_cells: of the run.
    index: a DataFrame of all cells (id, experiment, scheme, variant, status, message, seed, repeat, row).
    labels: of each variant what its name tells, and a shorter one.
    experiments: their names, in the study's order.
    """

    def plot(self, measure: str, experiment: str | None = None, axes: Any = None, **where: Any) -> Any:
        """Draws a measure of every scheme into `axes` (default: a new figure's) and returns them: a curve along its own dimension
        with a band from the least repeat to the greatest, a scalar with its standard error along the one axis that varies, or in a
        row for each scheme. `where` names columns as in `rows`: run.plot("min_distance", repeat=0). Needs matplotlib.
        """
        require("run.plot", PICTURES)
        from poslab.pictures.measure import plot
        experiment = experiment or self._experiment_of(measure)
        self._require_measures(experiment, [measure])
        return plot(self, measure, experiment, axes, **where)

    def league(self, beside: Any = None) -> Any:
        """What its trained networks have learnt and keep, over tasks and seeds, as a `poslab.league.League`; `beside`: another run,
        whose schemes join where they were trained alike.
        """
        return League(self, beside)

    def to_latex(self) -> str:
        r"""The answers as a LaTeX table, schemes down, questions across, for \input; it needs booktabs, longtable, amssymb."""
        return as_latex.table(Page(self, None))
