# SPDX-License-Identifier: Apache-2.0
"""States of a results file, which are numbers there, as words."""

import numpy as np
import xarray as xr


def texts_of_flags(dataset: xr.Dataset) -> xr.Dataset:
    """`status` and `verdict` in words."""
    for name in [name for name in dataset.variables if "flag_meanings" in dataset[name].attrs]:
        flags = dataset[name]
        words = dict(zip(np.atleast_1d(flags.attrs["flag_values"]).tolist(), flags.attrs["flag_meanings"].split()))
        foreign = sorted(set(flags.to_numpy().tolist()) - set(words))
        if foreign:
            raise ValueError(f"{name} has the value {foreign[0]}, which none of its flag_meanings is")
        text = np.array([words[value] for value in flags.to_numpy().tolist()], dtype=object)
        said = {key: flags.attrs[key] for key in ("long_name", "description") if key in flags.attrs}
        dataset = dataset.assign({name: (flags.dims, text, said)})
    return dataset
