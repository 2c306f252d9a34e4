"""What tests of killed, starved and misled runs look at: processes, journals, files."""

import contextlib
import os
import re
import shutil
import sqlite3
import tempfile
import time
from pathlib import Path


def is_sanitized(binary):
    """Whether a program was built with AddressSanitizer, which reports signals itself and ends with exit codes."""
    return b"__asan_init" in Path(binary).read_bytes()


def watches_threads(binary):
    """Whether a program was built with ThreadSanitizer, with which it takes fifty times as long."""
    return b"__tsan_init" in Path(binary).read_bytes()


def works_for_another(process):
    try:
        return (process / "cmdline").read_bytes().split(b"\0")[1] in (b"worker", b"in-child")
    except (OSError, IndexError):  # it has ended meanwhile
        return False


def children_of(parent):
    """Process ids of the living children that a process has started to work for it; not LeakSanitizer's, which looks at it
    from a child that is a copy of it."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, its_parent = stat.read_text().rpartition(")")[2].split()[:2]
        except OSError:  # it has ended meanwhile
            continue
        if int(its_parent) == parent and state not in "ZX" and works_for_another(stat.parent):
            found.append(int(stat.parent.name))
    return found


def processes_in(folder):
    """Process ids and command lines of all that live and whose working directory is `folder` or below it."""
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            where = os.readlink(entry / "cwd")
            if Path(where).is_relative_to(folder) and int(entry.name) != os.getpid():
                found[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
        except OSError:  # it has ended meanwhile, or is a zombie, which has no working directory
            continue
    return found


def wait_until_alone(folder, seconds=20):
    """Waits until no process works in `folder`; returns those that are left then."""
    end = time.monotonic() + seconds
    while (left := processes_in(folder)) and time.monotonic() < end:
        time.sleep(0.02)
    return left


def journal_rows(output):
    """{cell: (cell, experiment, variant, axes, status, seconds, outcome)} of the journal beside a results file. Read from a copy:
    reading would repair what a killed run left."""
    journal = Path(f"{output}.journal")
    if not journal.exists():
        return {}
    with tempfile.TemporaryDirectory(prefix="poslab-journal-") as folder:
        copy = Path(folder) / "journal"
        shutil.copy(journal, copy)
        with contextlib.suppress(FileNotFoundError):  # a commit deletes it at any moment
            shutil.copy(f"{journal}-journal", f"{copy}-journal")
        connection = sqlite3.connect(copy)
        try:
            if not connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'cells'").fetchone()[0]:
                return {}
            return {row[0]: row for row in connection.execute(
                "SELECT id, experiment, variant, axes, status, seconds, outcome FROM cells")}
        finally:
            connection.close()


def stored_checkpoints(output):
    """How far the checkpoints beside a results file are, by their steps; read from a copy, as a killed run leaves it."""
    journal = Path(f"{output}.journal-checkpoints")
    with tempfile.TemporaryDirectory(prefix="poslab-checkpoints-") as folder:
        for suffix in ("", "-journal"):
            with contextlib.suppress(FileNotFoundError):
                shutil.copy(f"{journal}{suffix}", f"{folder}/copy{suffix}")
        connection = sqlite3.connect(f"{folder}/copy")
        try:
            return [done for done, in connection.execute("SELECT done FROM checkpoints")]
        except sqlite3.DatabaseError:  # not yet there, or copied while it was written
            return []
        finally:
            connection.close()


def kept_cells(output):
    """How many cells a run says that it kept."""
    found = re.search(r"(\d+) of \d+ cells are kept from an earlier run", output)
    return int(found.group(1)) if found else 0
