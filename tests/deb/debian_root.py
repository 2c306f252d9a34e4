# SPDX-License-Identifier: Apache-2.0
"""A Debian 12 in a folder, that has what every Debian has and nothing else. Root alone can make one and work in it; packages come
from where debootstrap gets them."""

import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path


def make(root: Path, include: Sequence[str] = ()) -> None:
    """By debootstrap, with these packages beside the least that there is."""
    wanted = [f"--include={','.join(include)}"] if include else []
    subprocess.run(["debootstrap", "--variant=minbase", *wanted, "bookworm", root], check=True, stdout=subprocess.DEVNULL)
    (root / "etc/resolv.conf").write_bytes(Path("/etc/resolv.conf").read_bytes())


def words(root: Path, script: str, user: str = "", home: str = "/tmp", shell: str = "sh") -> list[str]:
    """The command that runs a script in there, with an environment of its own and mounts that end with it. `user`: --userspec of chroot."""
    mounts = 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev"'
    enter = f'exec chroot $2 "$1" /usr/bin/env -i HOME=$3 LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin {shell} -c "$4"'
    return ["unshare", "--mount", "sh", "-c", f"{mounts} && {enter}", "_", str(root), user, home, script]


def took(what: str, do: Callable[[], None]) -> None:
    began = time.monotonic()
    do()
    print(f"{time.monotonic() - began:7.1f} s  {what}", flush=True)
