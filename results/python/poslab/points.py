# SPDX-License-Identifier: Apache-2.0
"""Measures as rows: one for each point of a curve that a cell has (results/schema.md, "Curves")."""

from collections.abc import Iterable

import h5py
import numpy as np
import pandas as pd

from poslab.curves import coordinates_beside, dimensions_of, owned


def point_rows(group: h5py.Group, measures: Iterable[str], cells: pd.DataFrame) -> pd.DataFrame:
    """The cells' columns, the coordinates, the measures. `cells`: by the row in the group; their scalars stand in every row of theirs.
    Measures of the same dimensions stand side by side; those of others have rows of their own.
    """
    alike: dict[tuple[str, ...], list[str]] = {}
    for measure in measures:
        alike.setdefault(dimensions_of(group[measure]), []).append(measure)
    scalars = alike.pop((), [])
    cells = cells.assign(**{name: group[name][()][cells.index.to_numpy()] for name in scalars})
    if not alike:
        return cells.reset_index(drop=True)
    frames = [curve_rows(group, dimensions, names, cells) for dimensions, names in alike.items()]
    joined = pd.concat([frame for frame in frames if len(frame)] or frames[:1], ignore_index=True)
    own = [name for name in joined.columns if name not in cells]
    coordinates = [name for dimensions in alike for each in dimensions for name in (each, *coordinates_beside(group, each))]
    order = [*cells.columns.drop(scalars), *dict.fromkeys(name for name in coordinates if name in own)]
    return joined[[*order, *scalars, *(name for name in own if name not in order)]]


def curve_rows(group: h5py.Group, dimensions: tuple[str, ...], measures: list[str], cells: pd.DataFrame) -> pd.DataFrame:
    """A row for each point of each cell. Only what a cell has is read: a padded whole may be far larger."""
    coordinates = {name: group[name][()] for name in dimensions}
    of_cells = [cells.iloc[:0]]
    for number, row in enumerate(cells.index):
        indices = [owned(group, name, row) for name in dimensions]
        if not all(len(of_one) for of_one in indices):
            continue
        at = dict(zip(dimensions, (each.ravel() for each in np.meshgrid(*indices, indexing="ij"))))
        columns = {name: coordinates[name][of_one] for name, of_one in at.items()}
        for name, of_one in at.items():
            columns.update({beside: group[beside][row][of_one] for beside in coordinates_beside(group, name)})
        box = tuple(slice(of_one[0], of_one[-1] + 1) for of_one in indices)
        within = np.ix_(*(of_one - of_one[0] for of_one in indices))
        columns.update({name: group[name][(row, *box)][within].ravel() for name in measures})
        points = cells.iloc[np.full(len(columns[dimensions[0]]), number)].reset_index(drop=True)
        of_cells.append(points.assign(**columns))
    return pd.concat(of_cells[1:] or of_cells, ignore_index=True)
