# SPDX-License-Identifier: Apache-2.0
"""The list of faults, faults.toml: what each changes, and where it is looked for."""

import random
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

KEYS = {"name": str, "what": str, "file": str, "old": str, "new": str, "golden": bool,
        "unit": list, "check": list, "verify": list}
WITH_GOLDEN_CASES = {"sdk", "attention", "network", "training"}  # rooms, beside all schemes
TESTED_BY = {"experiment": "experiments"}  # rooms whose tests are another's


class BadList(Exception):
    """faults.toml says what cannot be done, or was not asked for."""


@dataclass
class Looks:
    """Where something is looked for."""

    golden: bool = False
    unit: dict = field(default_factory=dict)  # room -> names of files, without .cpp; none: all of the room's tests
    check: set = field(default_factory=set)  # schemes
    verify: set = field(default_factory=set)  # published studies

    def add(self, other):
        self.golden |= other.golden
        for room, files in other.unit.items():
            mine = self.unit.setdefault(room, set(files))
            self.unit[room] = mine | files if mine and files else set()
        self.check |= other.check
        self.verify |= other.verify

    def targets(self):
        """What Ninja must build, but for the scheme that was changed."""
        needed = {f"test_{room}" for room in self.unit}
        if self.golden:
            needed |= {"test_golden", "plugins/all"}
        if self.check or self.verify:
            needed |= {"poslab", "plugins/all"}
        return needed


@dataclass
class Fault:
    name: str
    what: str
    file: str
    old: str
    new: str
    looks: Looks

    def targets(self):
        """All that the fault can reach of what is looked at: other schemes stay as they are."""
        folder, name = Path(self.file).parts[:2]
        if folder != "plugins":
            return sorted(self.looks.targets())
        return sorted(self.looks.targets() - {"plugins/all"} | {f"poslab_scheme_{name}"})


def tests_beside(root, file):
    return {test.stem for test in (root / file).parent.glob("*_test.cpp")}


def looks_by_place(root, file):
    """What is always looked at where such a file changes."""
    folder, room = Path(file).parts[:2]
    if folder == "plugins":
        return Looks(golden=True, unit={"plugins": tests_beside(root, file)}, check={room})
    if folder == "experiments":
        return Looks(unit={"experiments": tests_beside(root, file)})
    if folder == "results":
        own = root / f"tests/unit/results/{room}_test.cpp"
        return Looks(unit={"results": {own.stem} if own.is_file() else set()})
    return Looks(golden=room in WITH_GOLDEN_CASES, unit={TESTED_BY.get(room, room): set()})


def looks_of(root, entry):
    looks = looks_by_place(root, entry["file"])
    for word in entry.get("unit", []):
        room, _, file = word.partition("/")
        looks.add(Looks(unit={room: {file} if file else set()}))
    looks.golden = entry.get("golden", looks.golden)
    looks.check |= set(entry.get("check", []))
    looks.verify |= set(entry.get("verify", []))
    return looks


def why_not(root, entry):
    """Why the entry of the list cannot be used; empty if it can."""
    for key, value in entry.items():
        if key not in KEYS or not isinstance(value, KEYS[key]):
            return f"'{key}' is no key of a fault, or its value is none that it can have"
    missing = [key for key in ("name", "what", "file", "old") if not entry.get(key)] + ["new"] * ("new" not in entry)
    if missing:
        return f"it lacks {' and '.join(missing)}"
    if not (root / entry["file"]).is_file():
        return f"there is no file {entry['file']}"
    count = (root / entry["file"]).read_text().count(entry["old"])
    if count != 1:
        return f"stale: its old text occurs {count} times in {entry['file']}, and must occur once"
    if entry["old"] == entry["new"]:
        return "its old text and its new text are the same"
    gone = [study for study in entry.get("verify", []) if not study_file(root, study).is_file()]
    return f"there is no study {study_file(root, gone[0])}" if gone else ""


def study_file(root, study):
    return root / "experiments/studies/published" / f"{study}.toml"


def read_faults(root, file):
    """All faults, or BadList with every reason why not."""
    try:
        entries = tomllib.loads(file.read_text()).get("fault", [])
    except tomllib.TOMLDecodeError as error:
        raise BadList(f"{file}: {error}") from error
    reasons = [f"{file}: fault '{entry.get('name', '?')}': {reason}" for entry in entries
               if (reason := why_not(root, entry))]
    names = [entry.get("name") for entry in entries]
    reasons += [f"{file}: fault '{name}' is there {names.count(name)} times" for name in sorted(set(names), key=str)
                if names.count(name) > 1]
    if reasons or not entries:
        raise BadList("\n".join(reasons) or f"{file} has no faults")
    texts = ("name", "what", "file", "old", "new")
    return [Fault(*(entry[key] for key in texts), looks_of(root, entry)) for entry in entries]


def chosen(faults, words):
    """Those that are named, or whose file lies in a folder that is named; without words all."""
    for word in words:
        if not any(word == fault.name or Path(word) in Path(fault.file).parents for fault in faults):
            raise BadList(f"no fault is called '{word}', and none changes a file in a folder of that name; --list names all")
    return [fault for fault in faults
            if not words or any(word == fault.name or Path(word) in Path(fault.file).parents for word in words)]


def sample(faults, count, seed):
    """One of all, and others that are looked for with the same programs as far as there are any: little is to be built."""
    dice = random.Random(seed)
    first = dice.choice(faults)
    others = [fault for fault in faults if fault is not first]
    dice.shuffle(others)
    others.sort(key=lambda fault: not fault.looks.targets() <= first.looks.targets())
    drawn = {fault.name for fault in [first, *others[:count - 1]]}
    return [fault for fault in faults if fault.name in drawn]
