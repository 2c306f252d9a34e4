#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`./dev deb`: the package in a Debian 12 that has nothing else: installed by apt, tried by a user who is not root, and purged, after
which every file and folder is as before. Needs root; Debian's packages come from where debootstrap gets them."""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import debian_root
from debian_root import took

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "system"))
import search_paths  # noqa: E402

# What apt, dpkg, man and ldconfig keep for themselves.
THEIR_OWN = re.compile(r"/(proc|sys|dev|run|tmp|home|var/(cache|log|tmp|lib/(apt|dpkg)))(/|$)")
USER = 1000
INSTALL = "DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends"
PURGE = "DEBIAN_FRONTEND=noninteractive apt-get purge -qy poslab"
BEGINNING = r"""
set -eu
cd ~
expect() { "$@" >said 2>&1 || { cat said; echo "exit code $?: $*"; exit 1; }; echo "$* -> $(tail -n 1 said)"; }
expect poslab --version
"""
FIRST = BEGINNING + r"""
expect poslab run /usr/share/poslab/studies/quickstart.toml
if poslab report quickstart.h5 >said 2>&1; then echo 'a report without Matplotlib'; exit 1; fi
[ "$(wc -l <said)" = 1 ] && grep 'apt install .*python3-matplotlib on Debian' said
poslab new scheme mine | grep 'apt install g++ cmake ninja-build on Debian'
"""
TRIED = BEGINNING + r"""
expect poslab report quickstart.h5 -o quickstart.md
expect poslab report quickstart.h5 -o quickstart.html
expect poslab check rope --only returns,relative
expect poslab find rope
man -P cat poslab >said
grep -q 'poslab run quickstart.toml' said
echo 'man poslab -> shown'
python3 - <<'END'
import numpy, poslab
run = poslab.open("quickstart.h5")
assert run.complete and run["uniqueness"].min_distance.sel(scheme="rope", length=128).notnull().all()
assert poslab.scheme("rope", d_model=32, heads=4).transform(numpy.ones((4, 3, 8)), range(3)).shape == (4, 3, 8)
assert len(poslab.schemes()) > 40
assert poslab.library.library().path.is_relative_to("/usr"), poslab.library.library().path
print("python3 ->", poslab.__file__)
END
bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader poslab
  COMP_WORDS=(poslab ru); COMP_CWORD=1; compopt() { :; }; _poslab; [[ ${COMPREPLY[*]} == run ]]'
[ "$(fish -c 'complete --do-complete "poslab ru"')" = run ]
[ "$(zsh -fc 'autoload -Uz compinit; compinit -u -D; print $_comps[poslab]')" = _poslab ]
echo 'bash, fish, zsh -> complete poslab'
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("package", type=Path)
    package = parser.parse_args().package.resolve()
    if os.geteuid() != 0:
        sys.exit(f"{package} is made; to try it, a Debian in a folder is wanted, which debootstrap makes for root alone")
    looked_at(package)
    with tempfile.TemporaryDirectory(prefix="poslab-debian-") as folder:
        root = Path(folder)
        root.chmod(0o755)  # not for root alone, as it is there who tries
        debian_root.make(root)
        tried(root, package)
    print(f"{package.name}: {package.stat().st_size / 1e6:.1f} MB, installs, runs and is purged without a trace")


def looked_at(package: Path) -> None:
    """lintian finds no error; what else it finds is printed, and core/package/package.md says why it is so. Nothing in it names a folder
    of libraries."""
    subprocess.run(["lintian", "--no-cfg", "--allow-root", "--fail-on", "error", package], check=True)
    with tempfile.TemporaryDirectory(prefix="poslab-deb-") as folder:
        subprocess.run(["dpkg-deb", "--extract", package, folder], check=True)
        files = search_paths.elf_files(Path(folder))
        if found := search_paths.search_paths(files):
            sys.exit(f"{package.name}: libraries are looked for elsewhere than where Debian's are: {found}")
        print(f"{len(files)} programs and libraries look for others in the system's folders alone")


def tried(root: Path, package: Path) -> None:
    (root / "tmp" / package.name).write_bytes(package.read_bytes())
    home = root / "home/user"
    home.mkdir()
    os.chown(home, USER, USER)
    user = f"--userspec={USER}:{USER}"
    took("apt-get update", lambda: inside(root, "apt-get update"))
    took(f"apt-get install of {package.name}, with what it depends on", lambda: inside(root, f"{INSTALL} /tmp/{package.name}"))
    took("the first result", lambda: inside(root, FIRST, user, said=None))
    inside(root, PURGE)
    took("apt-get install of what it recommends", lambda: inside(root, f"{INSTALL} {recommended(package)}"))
    inside(root, f"{INSTALL} man-db bash-completion fish zsh")  # by which some of the trials look
    before = files(root)
    took(f"apt-get install of {package.name}, where all of that is", lambda: inside(root, f"{INSTALL} /tmp/{package.name}"))
    inside(root, TRIED, user, said=None)
    inside(root, "python3 -c 'import poslab.library, poslab.report'")  # as root, who may write where the package is
    inside(root, PURGE)
    after = files(root)
    if before != after or list((root / "var/lib/dpkg/info").glob("poslab*")):
        sys.exit(f"the purge leaves {sorted(after - before)} and has taken {sorted(before - after)}")


def recommended(package: Path) -> str:
    said = subprocess.run(["dpkg-deb", "--field", package, "Recommends"], capture_output=True, text=True, check=True).stdout
    return said.replace(",", " ").strip()


def inside(root: Path, script: str, user: str = "", said: int | None = subprocess.PIPE) -> None:
    words = debian_root.words(root, script, user, "/home/user" if user else "/tmp")
    done = subprocess.run(words, stdout=said, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{done.stdout or ''}\nin the bare Debian failed: {script}")


def files(root: Path) -> set[str]:
    found: set[str] = set()
    for folder, folders, names in os.walk(root):
        inside_ = "/" + os.path.relpath(folder, root).removeprefix(".")
        folders[:] = [name for name in folders if not THEIR_OWN.match(os.path.join(inside_, name))]
        found.update(os.path.join(inside_, name) for name in (*folders, *names))
    return found


if __name__ == "__main__":
    main()
