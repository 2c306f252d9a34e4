# SPDX-License-Identifier: Apache-2.0
"""mutate.py [NAME|FOLDER ...]: puts one deliberate fault after the other into a copy of the sources (or, with --here, into
them), builds what it reaches, and checks which tests fail. mutations.md says more.

Exit code: 0 all were caught; 1 one was not, and its name is the last thing said; 2 the list or the command is wrong, or
the sources without a fault fail; 4 they do not build."""

import argparse
import signal
import subprocess
import sys
import time
from pathlib import Path

import table
from faults import BadList, Looks, chosen, read_faults, sample
from look import NothingLookedAt, look
from working_copy import WorkingCopy, WorkingTree

HERE = Path(__file__).resolve().parent


class Stop(Exception):
    def __init__(self, code, sentence):
        super().__init__(sentence)
        self.code = code


def options():
    parser = argparse.ArgumentParser(prog="./dev mutate", description="Deliberate faults, and who notices them.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="a fault, or a folder whose files faults change [all]")
    parser.add_argument("--sample", type=int, metavar="N", help="only N of them, drawn")
    parser.add_argument("--seed", default="0", help="of the drawing: any text [0]")
    parser.add_argument("--list", action="store_true", help="only names them, and whether they still fit the sources")
    parser.add_argument("--write", action="store_true", help="renews their rows in mutations.md")
    parser.add_argument("--jobs", default="2", help="of Ninja [2]")
    parser.add_argument("--root", type=Path, default=HERE.parents[1], help=argparse.SUPPRESS)
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--copy", type=Path, help="where the copy and its build are kept [build/mutate]")
    where.add_argument("--here", action="store_true", help="in the sources and build/release themselves, as CI does; edit nothing")
    parser.add_argument("--cmake", default="cmake", help=argparse.SUPPRESS)  # these two are stand-ins in the tool's own test
    parser.add_argument("--ninja", default="ninja", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.sample is not None and given.sample < 1:
        parser.error(f"--sample must be at least 1, not {given.sample}")
    return given


class Mutation:
    def __init__(self, given):
        self.given = given
        self.root = given.root.resolve()
        if given.here:
            self.copy = WorkingTree(self.root)
        else:
            self.copy = WorkingCopy(self.root, (given.copy or self.root / "build/mutate").resolve())

    def build(self, targets):
        """What went wrong; empty if nothing did."""
        steps = [[self.given.ninja, "-C", self.copy.build, "-j", self.given.jobs, *targets]]
        if not (self.copy.build / "build.ninja").is_file():
            steps.insert(0, [self.given.cmake, "--preset", "release"])
        for step in steps:
            done = subprocess.run(list(map(str, step)), cwd=self.copy.folder, stdin=subprocess.DEVNULL, capture_output=True,
                                  text=True, errors="replace", check=False)
            if done.returncode != 0:
                return done.stdout[-4000:] + done.stderr[-4000:]
        return ""

    def without_faults(self, faults):
        """What fails already would be no catch."""
        began, looks, targets = time.monotonic(), Looks(), set()
        for fault in faults:
            looks.add(fault.looks)
            targets |= fault.looks.targets() | set(fault.targets())
        print(f"mutate: {len(faults)} faults; first {self.copy.folder} without any", flush=True)
        self.copy.renew()
        if wrong := self.build(sorted(targets)):
            raise Stop(4, f"the sources without a fault do not build:\n{wrong}")
        if failed := [f"{where}: {name}" for where, names in look(self.copy.build, looks).items() for name in names]:
            raise Stop(2, "without a fault these fail, so that nothing could be proved:\n  " + "\n  ".join(failed))
        print(f"mutate: nothing fails without a fault ({time.monotonic() - began:.0f} s)", flush=True)

    def look_for(self, fault):
        """{where: names}, or None if it does not compile."""
        began = time.monotonic()
        self.copy.restore(but=fault.file)
        self.copy.put(fault)
        if wrong := self.build(fault.targets()):
            print(f"  BROKEN      {fault.name}: it does not compile, so it could not stay unseen:\n{wrong}", flush=True)
            return None
        found = look(self.copy.build, fault.looks)
        caught = ", ".join(f"{where} {len(names)}" for where, names in found.items() if names)
        verdict = f"caught      {fault.name:<34} {caught}" if caught else f"NOT CAUGHT  {fault.name:<34} {fault.what}"
        print(f"  {verdict} ({time.monotonic() - began:.0f} s)", flush=True)
        return found

    def run(self, faults, report):
        """report(name, found) for every fault, as soon as it is known."""
        self.without_faults(faults)
        try:
            # Those of a file one after the other: it need not be compiled without a fault in between.
            for fault in sorted(faults, key=lambda fault: fault.file):
                report(fault.name, self.look_for(fault))
        finally:
            self.copy.restore()


def perform(given):
    root = given.root.resolve()
    all_faults = read_faults(root, root / "tests/mutations/faults.toml")
    faults = chosen(all_faults, given.names)
    if given.sample:
        faults = sample(faults, min(given.sample, len(faults)), given.seed)
    if given.list:
        print("\n".join(f"{fault.name:<34} {fault.file}: {fault.what}" for fault in faults))
        return 0
    page, results = root / "tests/mutations/mutations.md", {}

    def report(name, found):
        results[name] = found
        if given.write:
            page.write_text(table.renewed(page.read_text(), all_faults, {name: found}))

    Mutation(given).run(faults, report)
    caught = [name for name, found in results.items() if found and any(found.values())]
    unseen = [name for name, found in results.items() if found is not None and name not in caught]
    broken = [name for name, found in results.items() if found is None]
    print(f"mutate: {len(caught)} of {len(results)} faults were caught")
    if broken:
        print(f"mutate: these do not compile: {', '.join(broken)}")
    if unseen:
        print(f"mutate: nothing catches {', '.join(unseen)}")
    return 1 if unseen else 2 if broken else 0


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the sources are restored
    try:
        return perform(options())
    except Stop as stop:
        print(f"mutate: {stop}", file=sys.stderr)
        return stop.code
    except (BadList, NothingLookedAt) as error:
        print(f"mutate: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
