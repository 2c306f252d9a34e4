# SPDX-License-Identifier: Apache-2.0
"""Where the loader looks for the libraries of a file (DT_RPATH, DT_RUNPATH), and what is wrong with that: an empty entry is the working
directory, and so is a part of any that is relative; what everybody may write to is anybody's code."""

import os
import re
import stat
import subprocess
from collections.abc import Iterable
from pathlib import Path

OWN_FOLDER = re.compile(r"\$(ORIGIN|\{ORIGIN\})(?=/|$)")


def elf_files(folder: Path) -> list[Path]:
    """What the loader may be given of a folder, and of those in it: no object files, which are linked first."""
    found = []
    for below, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "CMakeFiles" and not name.endswith(".dir")]
        paths = (Path(below, name) for name in names)
        found += [path for path in paths if path.is_file() and not path.is_symlink() and begins_as_elf(path)]
    return sorted(found)


def begins_as_elf(path: Path) -> bool:
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def search_paths(files: Iterable[Path]) -> dict[Path, list[str]]:
    """The entries of each file that has a search path, in order."""
    names = [str(file) for file in files]
    if not names:
        return {}
    said = subprocess.run(["readelf", "--wide", "--dynamic", "/dev/null", *names], capture_output=True, text=True, env=os.environ | {"LC_ALL": "C"}).stdout
    found: dict[Path, list[str]] = {}
    for name, dynamic in re.findall(r"^File: (.*)\n((?:(?!File: ).*\n?)*)", said, re.MULTILINE):
        for path in re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]$", dynamic, re.MULTILINE):
            found.setdefault(Path(name), []).extend(path.split(":"))
    return found


def fault_of(entry: str, file: Path) -> str:
    """What is wrong with an entry of the file's path; empty if nothing is."""
    if not entry:
        return "is empty, which is the working directory"
    folder = OWN_FOLDER.sub(str(file.parent.resolve()), entry)
    if not folder.startswith("/") or "$" in folder:
        return "is relative to the working directory"
    if os.path.isdir(folder) and os.stat(folder).st_mode & stat.S_IWOTH:
        return "is a folder that everybody may write to"
    return ""


def faults(files: Iterable[Path]) -> list[str]:
    """A sentence for each entry at which anybody's code could be found."""
    return [f"{file}: its entry {entry!r} {fault}" for file, entries in search_paths(files).items() for entry in entries
            if (fault := fault_of(entry, file))]


def foreign(files: Iterable[Path]) -> list[str]:
    """The same for what is passed on: any folder but those beside the file is one of the machine that built it."""
    return [f"{file}: its entry {entry!r} is a folder of the machine that built it" for file, entries in search_paths(files).items()
            for entry in entries if entry and not OWN_FOLDER.match(entry)]
