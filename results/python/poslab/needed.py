# SPDX-License-Identifier: Apache-2.0
"""The packages that parts of poslab need beside Python itself, and the sentence that says so where one is missing."""

import sys
from collections.abc import Iterable
from importlib.util import find_spec

# Module -> what people call it, what Debian 12 calls it, what pip calls it.
PACKAGES = {"numpy": ("NumPy", "python3-numpy", "numpy"), "h5py": ("h5py", "python3-h5py", "h5py"),
            "pandas": ("pandas", "python3-pandas", "pandas"), "xarray": ("xarray", "python3-xarray", "xarray"),
            "h5netcdf": ("h5netcdf", "python3-h5netcdf", "h5netcdf"),
            "matplotlib": ("Matplotlib", "python3-matplotlib", "matplotlib"), "torch": ("PyTorch", "python3-torch", "torch")}
SCHEMES = ("numpy",)
RESULTS = ("numpy", "h5py", "pandas", "xarray", "h5netcdf")
PICTURES = (*RESULTS, "matplotlib")
TORCH = ("numpy", "torch")


def lacking(modules: Iterable[str]) -> list[str]:
    """Those that this Python does not find."""
    return [name for name in modules if name not in sys.modules and find_spec(name) is None]


def how_to_install(modules: Iterable[str]) -> str:
    """"apt install python3-numpy on Debian, or /usr/bin/python3 -m pip install numpy"."""
    rows = [PACKAGES[name] for name in modules]
    return f"apt install {' '.join(row[1] for row in rows)} on Debian, or {sys.executable} -m pip install {' '.join(row[2] for row in rows)}"


def why_not(what: str, modules: Iterable[str]) -> str:
    """Why `what` does not work in this Python, and what to do, in one sentence; empty where it has all of these modules."""
    absent = lacking(modules)
    names = [PACKAGES[name][0] for name in absent]
    listed = " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
    return f"{what} needs {listed}, which {sys.executable} does not have: {how_to_install(absent)}" if absent else ""


def require(what: str, modules: Iterable[str]) -> None:
    """Raises ImportError with `why_not` where a module is missing."""
    if sentence := why_not(what, modules):
        raise ImportError(sentence)
