# SPDX-License-Identifier: Apache-2.0
"""core/architecture.md says which room may include which, and which libraries each one uses: here its table of rooms is
compared with what CMake links, and with every #include of the sources."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(os.environ["POSLAB_SOURCE_DIR"])
PAGE = SOURCE / "core/architecture.md"
LIBRARY_OF_TARGET = {
    "Boost::headers": "Boost", "Boost::program_options": "Boost", "Eigen3::Eigen": "Eigen", "fmt::fmt": "fmt", "libzip::zip": "libzip",
    "nlohmann_json::nlohmann_json": "nlohmann-json", "OpenSSL::Crypto": "libcrypto", "SQLite::SQLite3": "SQLite",
    "TBB::tbb": "oneTBB", "tomlplusplus::tomlplusplus": "toml++"}
LIBRARY_OF_HEADER = {
    "boost/": "Boost", "Eigen/": "Eigen", "fmt/": "fmt", "hdf5": "HDF5", "nlohmann/": "nlohmann-json",
    "openssl/": "libcrypto", "Random123/": "Random123", "sqlite3.h": "SQLite", "tbb/": "oneTBB", "toml++/": "toml++",
    "zip.h": "libzip"}
OF_THE_SYSTEM = {"Threads::Threads", "dl", "poslab_flags"}


class Room(NamedTuple):
    name: str
    folder: Path
    may_include: set
    libraries: set


def words(cell):
    """`a`, `b` (a remark), c: the words without marks and remarks."""
    return {word.strip(" `") for word in re.sub(r"\(.*?\)", "", cell).split(",")} - {"", "–"}


def rooms_of_the_page(text):
    """Name -> Room, in the order of the table."""
    table = re.search(r"^\| room \|.*\n\|[-|]+\n((?:\|.*\n)+)", text, re.MULTILINE).group(1)
    rooms = {}
    for line in table.splitlines():
        name, folder, _, may_include, libraries = (cell.strip() for cell in line.strip("|").split("|"))
        name = name.strip("`")
        rooms[name] = Room(name, SOURCE / folder.strip("`"), words(may_include), words(libraries))
    return rooms


class Folder(NamedTuple):
    path: Path
    may_include: set


def folders_of_the_page(text, room):
    """Name -> Folder of the folders inside a room, in the order of their table; empty where it has none."""
    table = re.search(r"^\| folder \| what it is for \| may include \|\n\|[-|]+\n((?:\|.*\n)+)", text, re.MULTILINE).group(1)
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    folders = [(SOURCE / name.strip("`"), words(may_include)) for name, _, may_include in rows]
    return {path.name: Folder(path, may_include) for path, may_include in folders if path.parent == room.folder}


class Links:
    """What CMake links, as its own drawing has it: each room's direct links, and those that it hands on."""

    def __init__(self):
        scratch = Path(tempfile.mkdtemp(prefix="poslab-architecture-"))
        try:
            done = subprocess.run(
                ["cmake", "-S", SOURCE, "-B", scratch / "build", "-G", "Ninja", "-DPOSLAB_TESTS=OFF", "-DPOSLAB_ARCH=",
                 f"--graphviz={scratch / 'links'}"], capture_output=True, text=True)
            if done.returncode != 0:
                raise AssertionError(done.stdout + done.stderr)
            drawing = (scratch / "links").read_text()
        finally:
            shutil.rmtree(scratch)
        self.direct, self.public = defaultdict(set), defaultdict(set)
        line = r'"node\d+" -> "node\d+" (?:\[ style = (\w+) \])? *// (\S+) -> (\S+)'
        for style, source, target in re.findall(line, drawing):
            self.direct[self.room(source)].add(self.room(target))
            if style != "dotted":  # private
                self.public[self.room(source)].add(self.room(target))

    @staticmethod
    def room(target):
        if target.startswith("poslab_scheme_"):
            return "plugins"
        if target == "poslab":  # the program itself: main.cpp of app
            return "app"
        return target.removeprefix("poslab_") if target != "poslab_flags" else target

    def handed_on(self, room):
        """What a target that links `room` gets."""
        found, waiting = {room}, [room]
        while waiting:
            for link in self.public[waiting.pop()] - found:
                found.add(link)
                waiting.append(link)
        return found

    def reached(self, room):
        return set().union(*(self.handed_on(link) for link in self.direct[room] - {room}))


def libraries_of(links):
    """Those among what CMake links. A path is HDF5, or one of the libraries that HDF5 itself needs."""
    found = set()
    for link in links:
        if "/" in link:
            found |= {"HDF5"} if Path(link).name.startswith("libhdf5") else set()
        elif "::" in link and link not in OF_THE_SYSTEM:
            found.add(LIBRARY_OF_TARGET.get(link, f"{link}, which architecture_test.py does not know"))
    return found


class Architecture(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rooms = rooms_of_the_page(PAGE.read_text())
        cls.links = Links()
        cls.sources = defaultdict(list)
        cls.homeless = []
        homes = sorted(cls.rooms.values(), key=lambda room: -len(room.folder.parts))  # the innermost room first
        for folder in ("core", "results", "experiments", "plugins"):
            for file in sorted((SOURCE / folder).rglob("*.[ch]*")):
                is_apart = file.name.endswith("_test.cpp") or "templates" in file.parts
                if is_apart or file.suffix not in (".cpp", ".hpp", ".h"):
                    continue
                room = next((room for room in homes if room.folder in file.parents), None)
                cls.sources[room.name].append(file) if room else cls.homeless.append(str(file.relative_to(SOURCE)))
        cls.room_of_header = {
            str(file.relative_to(room.folder / "include")): room.name
            for room in cls.rooms.values() for file in cls.sources[room.name]
            if room.folder / "include" in file.parents}
        cls.room_of_header["poslab/sdk/misspelt_names.hpp"] = "sdk"  # made by the build

    def includes(self, room):
        """(file, name of the header) of each #include in the sources of a room."""
        for file in self.sources[room.name]:
            for header in re.findall(r'^#include\s+["<]([^">]+)[">]', file.read_text(), re.MULTILINE):
                yield file, header

    def test_every_source_is_in_a_room_and_every_room_has_sources(self):
        self.assertEqual(self.homeless, [], "sources in no folder of the table")
        for room in self.rooms.values():
            self.assertTrue(self.sources[room.name], f"no sources in {room.folder}")

    def test_a_room_includes_only_rooms_above_it_so_there_is_no_circle(self):
        above = set()
        for room in self.rooms.values():
            self.assertLessEqual(room.may_include, above, room.name)
            above.add(room.name)

    def test_the_table_is_what_cmake_links(self):
        linked_rooms = {name for name in self.links.direct if "::" not in name and "/" not in name}
        linked_rooms.remove("libposlab")  # the room capi once more, as a shared library
        self.assertEqual(linked_rooms | {"sdk"}, set(self.rooms), "targets that link something, and rows of the table")
        for room in self.rooms.values():
            with self.subTest(room.name):
                reached = self.links.reached(room.name)
                linked = {link for link in reached if link in self.rooms}
                self.assertEqual(linked, room.may_include, f"first what {room.name} gets from CMake, second its row")
                self.assertNotIn(room.name, reached)

    def test_the_libraries_are_what_cmake_links(self):
        for room in self.rooms.values():
            with self.subTest(room.name):
                linked = libraries_of(self.links.direct[room.name])
                self.assertEqual(linked - room.libraries, set(), f"{room.name} links these, its row lacks them")

    def test_includes_of_other_rooms_are_in_the_table(self):
        for room in self.rooms.values():
            for file, header in self.includes(room):
                if header.startswith("poslab/"):
                    owner = self.room_of_header.get(header, "no room")
                    self.assertIn(owner, room.may_include | {room.name}, f"{file} includes {header}")

    def test_includes_of_libraries_are_in_the_table(self):
        for room in self.rooms.values():
            used = set()
            handed_on = libraries_of(self.links.reached(room.name))
            for file, header in self.includes(room):
                library = next((name for prefix, name in LIBRARY_OF_HEADER.items() if header.startswith(prefix)), None)
                if library:
                    used.add(library)
                    self.assertIn(library, room.libraries | handed_on, f"{file} includes {header}")
                elif "/" in header and not header.startswith(("poslab/", "sys/")):
                    self.assertTrue(self.is_own(room, file, header), f"{file} includes {header} of an unknown library")
            self.assertEqual(room.libraries - used, set(), f"{room.name} includes nothing of these libraries")

    def test_private_headers_are_those_of_the_room(self):
        for room in self.rooms.values():
            for file in self.sources[room.name]:
                for header in re.findall(r'^#include\s+"([^"]+)"', file.read_text(), re.MULTILINE):
                    if not header.startswith("poslab/") and not header.endswith(".inc"):  # .inc: made by CMake
                        self.assertTrue(self.is_own(room, file, header), f"{file} includes {header}")

    def test_inside_a_room_a_folder_includes_only_those_of_its_row(self):
        text = PAGE.read_text()
        divided = [room for room in self.rooms.values() if folders_of_the_page(text, room)]
        self.assertTrue(divided)
        for room in divided:
            folders = folders_of_the_page(text, room)
            above = set()
            for name, folder in folders.items():
                self.assertTrue(folder.path.is_dir(), folder.path)
                self.assertLessEqual(folder.may_include, above, f"{folder.path} includes what comes after it")
                above.add(name)
            inside = {file.parent.name for file in self.sources[room.name] if room.folder / "include" not in file.parents
                      and file.parent != room.folder}
            self.assertEqual(inside, set(folders), f"folders of {room.folder}, and their rows")
            for file, header in self.includes(room):
                here, there = self.folder_of(room, folders, file), self.folder_of_header(room, folders, file, header)
                if here and there and here != there:
                    self.assertIn(there, folders[here].may_include, f"{file} includes {header}")
                if here and header.startswith(f"poslab/{room.name}/") | self.is_own(room, file, header):
                    self.assertTrue(there, f"{file} includes {header}, which lies in no folder of the room")

    @staticmethod
    def folder_of(room, folders, file):
        """Empty: right in the room's folder."""
        if room.folder / "include" not in file.parents:
            return file.parent.name if file.parent.name in folders and file.parent != room.folder else ""
        at_home = [path for path in room.folder.rglob(file.stem + ".cpp") if not path.name.endswith("_test.cpp")]
        if not at_home:
            return next(iter(folders))
        return at_home[0].parent.name if at_home[0].parent != room.folder else ""

    def folder_of_header(self, room, folders, file, header):
        found = next((folder / header for folder in (file.parent, room.folder, room.folder / "include")
                      if (folder / header).is_file()), None)
        return self.folder_of(room, folders, found) if found else ""

    @staticmethod
    def is_own(room, file, header):
        return ".." not in header and any((folder / header).is_file() for folder in (file.parent, room.folder))


if __name__ == "__main__":
    unittest.main()
