# SPDX-License-Identifier: Apache-2.0
"""What a scheme's process has imported, and who asked for it: of the file's own modules results know the bytes, of installed packages the
versions, and what an installed package imports behind the author's back is implied by its version."""

import os
import sys
import sysconfig
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any

from poslab.library import HERE
from poslab.members import Mistake


class LateImport(Mistake):
    """Something came after the file was run, and results do not know of it."""


class Imports:
    """Those of the process that has run the file at `path`; `earlier` were imported before.

    files: of modules of its own, of this package among them, and of installed packages that tell no version.
    versions: by the names of the installed packages that tell one.
    """

    def __init__(self, path: str, earlier: frozenset[str]) -> None:
        self.path, self.earlier = path, earlier
        self.files, self.versions = self.brought_in()
        self.count = len(sys.modules)
        self.askers: dict[str, str] = {}
        sys.meta_path.insert(0, self)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        """As a finder, which finds nothing: it hears who asks for a module that is not there yet."""
        self.askers[name] = asking_package()

    def refuse_late(self) -> None:
        """Raises LateImport where something came late."""
        if late := self.late():
            raise LateImport(f"imports {', '.join(late)} only when it is asked something: import it at the top of the file, or results "
                             "would not know with what they were computed")

    def late(self) -> list[str]:
        """What came since this was last asked: modules of the file's own, and packages that no version implies."""
        if len(sys.modules) == self.count:
            return []
        self.count = len(sys.modules)
        files, versions = self.brought_in()
        late = {os.path.basename(file) for file in files - self.files}
        for package, version in versions.items():
            is_new = package not in self.versions
            if (is_new and not self.is_implied(package)) or (not is_new and self.versions[package] != version):
                late.add(f"{package} {version}")
        return sorted(late)

    def is_implied(self, package: str) -> bool:
        """Whether who asked for it, or who asked for that, is a package whose version is known."""
        asked = set[str]()
        while package not in self.versions and package not in asked:
            asked.add(package)
            package = self.askers.get(package, "")
        return package in self.versions

    def brought_in(self) -> tuple[set[str], dict[str, str]]:
        """Files and versions, as of now."""
        places = sysconfig.get_paths()
        installed = tuple(f"{places[name]}/" for name in ("purelib", "platlib"))
        own_of_python = tuple(f"{places[name]}/" for name in ("stdlib", "platstdlib"))
        files, versions = set(), {"python": sys.version.split()[0]}
        for name, module in [*sys.modules.items()]:
            file = getattr(module, "__file__", None)
            if not isinstance(file, str) or file == self.path:
                continue
            if file.startswith(f"{HERE}{os.sep}"):
                files.add(file)
            elif file.startswith(installed) or "/site-packages/" in file or "/dist-packages/" in file or put_by_pip(name):
                package = name.partition(".")[0]
                if (version := version_of(package)) is not None:
                    versions[package] = version
                elif name not in self.earlier and Path(file).is_file():
                    files.add(file)
            elif not file.startswith(own_of_python) and Path(file).is_file():
                files.add(file)
        return files, versions


def asking_package() -> str:
    """That of the nearest code which is not Python's own; empty where there is none. Code that was made from a text has the globals of
    whoever made it, or a name that is no module's."""
    frame = sys._getframe(2)
    while frame is not None:
        package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if package in sys.modules and package not in sys.stdlib_module_names:
            return package
        frame = frame.f_back  # type: ignore[assignment]
    return ""


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
