# SPDX-License-Identifier: Apache-2.0
"""Where faults are put: a copy of the project with a build of its own that is kept, or the project itself."""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

PASSED_OVER = {".git", "build", "__pycache__", "runs"}


def files_of(root):
    """What git knows or would add; in a folder without git everything but what programs have made."""
    def git(*words):
        return subprocess.run(["git", "-C", root, *words], capture_output=True, text=True, check=False).stdout

    if git("rev-parse", "--show-toplevel").strip() == str(root.resolve()):
        listed = git("ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
        return {name for name in listed if name and (root / name).is_file()}
    found = set()
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in PASSED_OVER]
        found |= {str((Path(folder) / name).relative_to(root)) for name in names}
    return found


class WorkingCopy:
    def __init__(self, root, folder):
        self.root, self.folder, self.build = root, folder, folder / "build/release"
        self.changed = None  # a file with a fault
        lock = (self.build if folder == root else folder) / ".mutate-lock"
        lock.parent.mkdir(parents=True, exist_ok=True)
        self.lock = open(lock, "w", encoding="utf-8")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise SystemExit(f"mutate: another run works in {folder}; wait, or name another folder with --copy") from error

    def renew(self):
        """Whatever an earlier run left: only files that differ are written, so that little is compiled again."""
        wanted = files_of(self.root)
        for name in files_of_copy(self.folder) - wanted:
            (self.folder / name).unlink()
        for name in sorted(wanted):
            source, target = self.root / name, self.folder / name
            if not target.is_file() or source.read_bytes() != target.read_bytes():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)
            shutil.copymode(source, target)

    def put(self, fault):
        file = self.folder / fault.file
        file.write_text((self.root / fault.file).read_text().replace(fault.old, fault.new))
        self.changed = fault.file

    def restore(self, but=""):
        """`but`: a file that is about to be changed again, and need not be compiled in between."""
        if self.changed and self.changed != but:
            shutil.copyfile(self.root / self.changed, self.folder / self.changed)
            self.changed = None


class WorkingTree(WorkingCopy):
    """The project itself and its release build, where nobody edits: what is built is not built again."""

    def __init__(self, root):
        super().__init__(root, root)
        self.original = ""

    def renew(self):
        """There is nothing to copy."""

    def put(self, fault):
        file = self.folder / fault.file
        if self.changed != fault.file:
            self.original = file.read_text()
        file.write_text(self.original.replace(fault.old, fault.new))
        self.changed = fault.file

    def restore(self, but=""):
        if self.changed and self.changed != but:
            (self.folder / self.changed).write_text(self.original)
            self.changed = None


def files_of_copy(folder):
    found = set()
    for path, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in PASSED_OVER]
        found |= {str((Path(path) / name).relative_to(folder)) for name in names}
    return found - {".mutate-lock"}
