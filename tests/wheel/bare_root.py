#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`./dev wheel`: the wheel in a root that has Debian's Python and what every Linux has, no compiler and no library of ours. What the
wheel asks pip for comes from the package index. Needs root, or a system that lets users have namespaces."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "system"))
import search_paths  # noqa: E402

PYTHON = "/usr/bin/python3.11"
# Libraries that wheels may take for granted (PEP 600), beside what Python itself needs.
GRANTED = ("libstdc++.so.6", "libgcc_s.so.1", "libz.so.1", "libexpat.so.1", "libpthread.so.0", "libdl.so.2", "librt.so.1", "libutil.so.1",
           "libresolv.so.2")
STUDY = """format = 1
title = "bare"
[model]
d_model = 32
heads = 4
[[scheme]]
use = "rope"
[[scheme]]
use = "t5"
[[experiment]]
use = "uniqueness"
axes = { length = [16, 32] }
"""
TRIED = r"""
import os, subprocess, sys
import numpy, poslab
command = [sys.executable, "-c", "import poslab.program as p; p.main()"]
for words in (["--version"], ["list", "schemes"], ["run", "/home/study.toml", "-o", "/home/a.h5"], ["check", "rope"],
              ["report", "/home/a.h5", "-o", "/home/a.md"], ["check", "/home/log_distance.py", "--only", "returns,symmetric"]):
    done = subprocess.run([*command, *words], capture_output=True, text=True)
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    print("poslab", *words, "->", (done.stdout.strip().splitlines() or [""])[-1])
run = poslab.open("/home/a.h5")
assert run["uniqueness"].min_distance.sel(scheme="rope", length=16).notnull().all()
rope = poslab.scheme("rope", d_model=32, heads=4)
assert rope.transform(numpy.ones((4, 3, 8)), range(3)).shape == (4, 3, 8)
assert len(poslab.schemes()) > 40
assert poslab.scheme("/home/log_distance.py", heads=8, d_model=64).bias(range(3), range(3)).shape == (8, 3, 3)
assert poslab.run("/home/study.toml", "/home/b.h5", progress=False).complete
assert poslab.identify(poslab.scheme("alibi", heads=8).bias(range(20), range(20)))["named"]["scheme"] == "alibi"
print("poslab", poslab.program.program(), "and", poslab.library.library().path)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", type=Path)
    wheel = parser.parse_args().wheel.resolve()
    look_at_search_paths(wheel)
    with tempfile.TemporaryDirectory(prefix="poslab-bare-") as folder:
        root = Path(folder)
        make_root(root)
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile", "--ignore-installed", "--target",
                        root / "site", "--only-binary", ":all:", wheel], check=True)
        (root / "home/study.toml").write_text(STUDY)
        page = (Path(__file__).resolve().parents[2] / "core/sdk/writing-a-scheme-in-python.md").read_text()
        (root / "home/log_distance.py").write_text(page.split("```python\n")[1].split("```")[0])
        inside = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"]), "sh", "-c",
                  f"mount --rbind /proc {root}/proc && mount --rbind /dev {root}/dev && exec chroot {root} /usr/bin/env -i HOME=/home "
                  f"PYTHONPATH=/site PATH=/usr/bin {PYTHON} -c \"$1\"", "_", TRIED]
        done = subprocess.run(inside)
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB, {'runs' if done.returncode == 0 else 'fails'} in a bare root")
        sys.exit(done.returncode)


def look_at_search_paths(wheel: Path) -> None:
    """What is in the wheel looks for libraries beside itself alone."""
    with tempfile.TemporaryDirectory(prefix="poslab-wheel-") as folder:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
        files = search_paths.elf_files(Path(folder))
        program = [file for file in files if str(file).endswith("/bin/poslab")]
        if found := [*search_paths.faults(files), *search_paths.foreign(files)]:
            sys.exit(f"{wheel.name}: " + "; ".join(found))
        if [*search_paths.search_paths(program).values()] != [["$ORIGIN/../lib"]]:
            sys.exit(f"{wheel.name}: its program does not look for its libraries in ../lib")
        print(f"{len(files)} programs and libraries look for others in the system's folders and beside themselves")


def make_root(root: Path) -> None:
    for folder in ("proc", "dev", "tmp", "home", "etc"):
        (root / folder).mkdir()
    (root / "etc/passwd").write_text("root:x:0:0:root:/home:/bin/false\n")
    shutil.copytree("/usr/lib/python3.11", root / "usr/lib/python3.11", symlinks=True,
                    ignore=shutil.ignore_patterns("__pycache__", "test", "config-3.11-*"))
    programs = [Path(PYTHON), Path("/usr/bin/env")]
    for program in programs:
        copied(program, root)
    binaries = [*programs, *Path("/usr/lib/python3.11/lib-dynload").glob("*.so")]
    said = "".join(subprocess.run(["ldd", binary], capture_output=True, text=True).stdout for binary in binaries)
    paths = set(re.findall(r"(/\S+\.so\S*)", said))
    known = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    paths |= {path for name, path in re.findall(r"^\s+(\S+) \(libc6,x86-64\) => (\S+)$", known, re.MULTILINE) if name in GRANTED}
    for path in sorted(paths):
        copied(Path(path), root)


def copied(path: Path, root: Path) -> None:
    target = root / path.relative_to("/")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(path, target)


if __name__ == "__main__":
    main()
