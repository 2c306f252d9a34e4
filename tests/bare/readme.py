#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`./dev bare`: the blocks of README.md, in its order, in a Debian 12 that has git and nothing else, each with what those before it have
installed. A block that lacks a package may say so in one sentence, with the line for apt: that line is run, and the block once more.

Needs root; Debian's packages come from where debootstrap gets them. What is tried is the newest commit.
"""

import argparse
import functools
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests/deb"))
import debian_root  # noqa: E402

# Variables that a block sets hold for those after it, as in the shell of whoever reads.
SHELL = """set -e
[[ ! -f /tmp/variables ]] || . /tmp/variables
cd '{checkout}'
{block}
export -p >/tmp/variables
"""
PYTHON = "PYTHONPATH=results/python /usr/bin/python3 {file}"
TEST = "./dev test\n"
END_OF_A_RUN = re.compile(r"^\S.*: +(poslab (?:summary|report) .*)$", re.MULTILINE)
FOR_APT = re.compile(r"apt(?:-get)? install((?: [a-z0-9][a-z0-9.+-]+)+?) on Debian")


@dataclass(frozen=True)
class Block:
    line: int      # of README.md
    language: str  # "": for the shell
    text: str
    before: str    # the line of text above it

    @property
    def file(self) -> str:
        """As the line above it names the file that it is; empty: it names none."""
        ending = {"python": "py"}.get(self.language, self.language)
        found = re.search(rf"`([\w-]+\.{ending})`", self.before) if ending else None
        return found[1] if found else ""


def blocks_of(page: str) -> list[Block]:
    blocks = []
    for found in re.finditer(r"^```(\w*)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        above = [line for line in page[:found.start()].splitlines() if line.strip()]
        blocks.append(Block(page[:found.start()].count("\n") + 1, found[1], found[2], above[-1]))
    return blocks


class Trial:
    """The checkout in its Debian, and what became of the blocks."""

    def __init__(self, root: Path, checkout: Path) -> None:
        self.root, self.checkout = root, checkout  # the latter as it is called in there
        self.installed: list[str] = []  # beyond what the blocks install by themselves

    def shell(self, text: str) -> tuple[int, str]:
        """Exit code, and what it said, which is shown as it comes."""
        words = debian_root.words(self.root, SHELL.format(checkout=self.checkout, block=text), home="/root", shell="bash")
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        assert process.stdout
        said, silence, heard = "", 0.0, time.monotonic()
        for line in process.stdout:
            said += line
            print("   |", line, end="", flush=True)
            silence, heard = max(silence, time.monotonic() - heard), time.monotonic()
        if silence > 10:
            print(f"   (was silent for {silence:.0f} s)", flush=True)
        return process.wait(), said

    def run(self, what: str, text: str) -> str:
        """What it says, in the end: after what it asks for is installed."""
        code, said = self.shell(text)
        if code == 0:
            return said
        last = said.strip().splitlines()[-1] if said.strip() else ""
        asked = FOR_APT.search(last)
        if not asked or (not text.startswith(PYTHON.split()[0]) and "Traceback" in said):
            sys.exit(f"{what}: exit code {code}, and no sentence that says what to install:\n{said}")
        print(f"{what} asks for{asked[1]}: {last}", flush=True)
        packages = asked[1].split()
        code, _ = self.shell(f"DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends {' '.join(packages)} >/dev/null")
        if code:
            sys.exit(f"{what}: {asked[0]} fails")
        self.installed += packages
        code, said = self.shell(text)
        if code:
            sys.exit(f"{what}: exit code {code}, though {', '.join(packages)} is there")
        return said

    def outside(self, name: str) -> Path:
        return self.root / self.checkout.relative_to("/") / name

    def write(self, name: str, text: str) -> None:
        self.outside(name).write_text(text)

    def do(self, block: Block) -> None:
        what = f"README.md:{block.line}"
        match block.language:
            case "" if block.text == TEST:
                print("   left to .ci/run, which has a clean clone of its own")
            case "":
                said = self.run(what, block.text)
                if block.text.startswith("./dev run ") and not END_OF_A_RUN.search(said):
                    sys.exit(f"{what}: the run ends with no command that comes next")
                for command in END_OF_A_RUN.findall(said):
                    self.run(f"{what}, which ends with `{command}`", command)
            case "python" if not block.file:
                self.write("block.py", block.text)
                self.run(what, PYTHON.format(file="block.py"))
            case "python" | "toml" if block.file:
                self.write(block.file, block.text)
            case "cpp":  # is what the block before it has written
                if not any(block.text == file.read_text() for file in self.outside(".").glob("*/*.cpp")):
                    sys.exit(f"{what}: no file that was written is this one")
            case "text":
                pass
            case _:
                sys.exit(f"{what}: a block of {block.language}, of which the line above it names no file")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", action="store_true", help="with the build tree of this checkout in place of compiling, for a look at the rest")
    options = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("a Debian in a folder is wanted, which debootstrap makes for root alone")
    with tempfile.TemporaryDirectory(prefix="poslab-readme-") as folder:
        root = Path(folder)
        root.chmod(0o755)
        debian_root.took("a Debian with git", lambda: debian_root.make(root, ["git"]))
        trial = Trial(root, SOURCE if options.build else Path("/root/poslab"))  # a build tree knows its own place
        subprocess.run(["git", "clone", "--quiet", "--no-local", SOURCE, trial.outside(".")], check=True)
        if options.build:
            subprocess.run(["find", trial.outside("."), "-exec", "touch", "--date=2000-01-01", "{}", "+"], check=True)
            subprocess.run(["cp", "--archive", SOURCE / "build", trial.outside("build")], check=True)
        tried(trial, blocks_of(trial.outside("README.md").read_text()))


def tried(trial: Trial, blocks: list[Block]) -> None:
    for block in blocks:
        name = f"README.md:{block.line} {block.text.partition(chr(10))[0]}"
        print(name, flush=True)
        debian_root.took(name, functools.partial(trial.do, block))
    print(f"{len(blocks)} blocks of README.md run in a bare Debian; what they asked for beside what they install themselves: "
          f"{', '.join(trial.installed) or 'nothing'}")


if __name__ == "__main__":
    main()
