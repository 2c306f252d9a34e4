# SPDX-License-Identifier: Apache-2.0
"""A Python file that defines a scheme: running it, what it brings with it, and where in it an error is."""

import os
import sys
import sysconfig
import traceback
import types
from functools import lru_cache
from importlib import metadata
from pathlib import Path

from poslab import declaration
from poslab.declaration import Definition
from poslab.library import HERE, OutOfRange, Refused
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

    def look_at_modules(self) -> None:
        """Keeps in `files` and `versions` what its numbers depend on of all that was imported."""
        self.files, self.versions = self.brought_in()
        self.module_count = len(sys.modules)

    def refuse_late_imports(self) -> None:
        """Raises Mistake for a module of its own that came after `look_at_modules`."""
        if len(sys.modules) == self.module_count:
            return
        self.module_count = len(sys.modules)
        files, versions = self.brought_in()
        late = [os.path.basename(file) for file in files - self.files] + [*(versions - self.versions)]
        if late:
            names = ", ".join(sorted(late))
            raise Mistake(f"imports {names} only when it is asked something: import it at the top of the file, or results would not "
                          "know with what they were computed")

    def brought_in(self) -> tuple[set[str], set[str]]:
        """With what the file computes: the files of modules of its own, of this package among them, and "numpy 1.24.2" of those installed;
        of one that tells no version its files, too."""
        places = sysconfig.get_paths()
        installed = tuple(f"{places[name]}/" for name in ("purelib", "platlib"))
        own_of_python = tuple(f"{places[name]}/" for name in ("stdlib", "platstdlib"))
        files, versions = set(), {f"python {sys.version.split()[0]}"}
        for name, module in [*sys.modules.items()]:
            file = getattr(module, "__file__", None)
            if not isinstance(file, str) or file == self.path:
                continue
            if file.startswith(f"{HERE}{os.sep}"):
                files.add(file)
            elif file.startswith(installed) or "/site-packages/" in file or "/dist-packages/" in file or put_by_pip(name):
                package = name.partition(".")[0]
                if (version := version_of(package)) is not None:
                    versions.add(f"{package} {version}")
                elif name not in self.earlier and Path(file).is_file():
                    files.add(file)
            elif not file.startswith(own_of_python) and Path(file).is_file():
                files.add(file)
        return files, versions


def version_of(package: str) -> str | None:
    """What an imported package says of itself, or pip of the one of its name."""
    version = getattr(sys.modules.get(package), "__version__", None)
    return installed_version(package) if version is None else str(version)


@lru_cache(maxsize=None)
def installed_version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def put_by_pip(name: str) -> bool:
    """Whether the module lies where `pip install --target` put it, in a folder of any name: NumPy imports parts of itself late."""
    top = getattr(sys.modules.get(name.partition(".")[0]), "__file__", None)
    if not isinstance(top, str):
        return False
    return has_installations(os.path.dirname(os.path.dirname(top) if os.path.basename(top) == "__init__.py" else top))


@lru_cache(maxsize=None)
def has_installations(folder: str) -> bool:
    return any(Path(folder).glob("*.dist-info"))


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
