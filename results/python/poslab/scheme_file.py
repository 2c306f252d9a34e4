# SPDX-License-Identifier: Apache-2.0
"""A Python file that defines a scheme: running it, and where in it an error is."""

import os
import sys
import traceback
import types

from poslab import declaration
from poslab.declaration import Definition
from poslab.library import OutOfRange, Refused
from poslab.members import Mistake
from poslab.needed import PACKAGES, how_to_install, lacking


class SchemeFile:
    """The file at `path`. Raises what it raises while it runs, and Mistake where it does not define one scheme."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.earlier = frozenset(sys.modules)  # which poslab or Python itself has imported
        sys.path.insert(0, os.path.dirname(os.path.realpath(path)))  # a job of Slurm is given a link
        module = types.ModuleType("poslab_scheme")
        module.__file__ = path
        sys.modules[module.__name__] = module
        with open(path, "rb") as file:
            exec(compile(file.read(), path, "exec"), vars(module))
        own = [each for each in declaration.defined if each.scheme.__module__ == module.__name__]
        if len(own) != 1:
            ids = ", ".join(str(each.card["id"]) for each in own)
            raise Mistake(f"defines {len(own)} schemes ({ids}), and a file holds one" if own else
                          "defines no scheme: @poslab.define(id=...) stands above a class")
        self.definition: Definition = own[0]


def sentence_of(error: BaseException, path: str) -> str:
    """"log_distance.py:12: ValueError: ..."; of a scheme's own refusal its words alone."""
    if isinstance(error, Refused | OutOfRange):
        return str(error)
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    if isinstance(error, SyntaxError) and error.filename == path:
        lines = [error.lineno]
    words = f"{type(error).__name__}: {error}"
    if isinstance(error, Mistake):
        words = str(error.args[0])
        lines = lines or [code.co_firstlineno for code in error.args[1:]]
    elif isinstance(error, ModuleNotFoundError):
        package = (error.name or "").partition(".")[0]
        hint = f"{how_to_install([package])}; " if package in PACKAGES and lacking([package]) else ""
        words = f"{error.msg}: {sys.executable} has no such module; {hint}POSLAB_PYTHON names the Python that runs schemes"
    elif isinstance(error, KeyboardInterrupt):
        words = "interrupted"
    return f"{os.path.basename(path)}{f':{lines[-1]}' if lines else ''}: {words}"
