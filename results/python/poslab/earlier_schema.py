# SPDX-License-Identifier: Apache-2.0
"""Results files of earlier schemas: the program makes a copy in today's, and the user's file stays as it is."""

import shlex
import shutil
import subprocess
from pathlib import Path

from poslab.program_file import environment, program
from poslab.texts import printable


def upgrade(file: Path, copy: Path, version: str) -> None:
    """Makes the copy by `poslab upgrade`. Raises ValueError with the command to give by hand where that cannot be done here."""
    shutil.copyfile(file, copy)
    try:
        done = subprocess.run([program(), "upgrade", str(copy)], capture_output=True, text=True, errors="replace", env=environment())
    except (ImportError, OSError) as problem:
        why = str(problem)
    else:
        if done.returncode == 0:
            return
        why = " ".join(done.stderr.split()) or f"it ended with {done.returncode}"
    raise ValueError(printable(f"{file} is of schema {version}, which this package does not read; `poslab upgrade {shlex.quote(str(file))}` "
                               f"rewrites it, and could not be called here: {why}"))
