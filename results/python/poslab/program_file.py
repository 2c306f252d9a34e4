# SPDX-License-Identifier: Apache-2.0
"""Where poslab's program is, and with what environment it is started."""

import os
import shutil
import sys
from typing import NoReturn

from poslab.library import PLACES


def program() -> str:
    """The program: as POSLAB_PROGRAM says, where the package lies, or on the PATH. Raises ImportError where there is none."""
    named = os.environ.get("POSLAB_PROGRAM")
    places = [str(place / "bin/poslab") for place in PLACES if (place / "bin/poslab").is_file()]
    found = named or (places[0] if places else shutil.which("poslab", path=os.pathsep.join(folders_of("PATH"))))
    return found or no_program("poslab")


def no_program(name: str) -> NoReturn:
    raise ImportError(f"there is no program {name}: POSLAB_PROGRAM names one; in a checkout ./dev build makes it") from None


def folders_of(variable: str) -> list[str]:
    """Those of an environment's list. An empty entry, which others take for the working directory, is none."""
    return [*filter(None, os.environ.get(variable, "").split(os.pathsep))]


def environment() -> dict[str, str]:
    """What the program is given: ours, in which POSLAB_PYTHON is the Python that runs schemes, by default this one."""
    return {"POSLAB_PYTHON": sys.executable, **os.environ}
