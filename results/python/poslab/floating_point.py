# SPDX-License-Identifier: Apache-2.0
"""The mode in which this thread computes: numbers of poslab are rounded to the nearest, and the smallest are kept."""

import ctypes

from poslab.members import Mistake

ONE, LITTLE, SMALLEST = 1.0, 2.0**-60, 5e-324  # names: of numbers themselves Python computes the results beforehand
DEFAULT_MODE = ctypes.c_void_p(-1)             # FE_DFL_ENV of glibc


def fault() -> str:
    """What is not usual about the mode; empty if nothing is. It is looked at after each call, and so by numbers: that is quick."""
    if ONE + LITTLE != ONE:
        return "rounds up"
    if ONE - LITTLE != ONE:
        return "rounds down" if -ONE - LITTLE != -ONE else "rounds towards zero"
    return "" if SMALLEST * ONE > 0 else "takes the smallest numbers for 0"


def require_usual() -> None:
    """Raises Mistake, and restores the mode, in which everything else would be computed."""
    if what := fault():
        restore()
        raise Mistake(f"leaves its process in another floating-point mode, which {what}: everything after it would be computed so; set "
                      "the mode back before the method returns")


def restore() -> None:
    ctypes.CDLL("libm.so.6").fesetenv(DEFAULT_MODE)
