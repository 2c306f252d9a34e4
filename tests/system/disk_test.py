"""Disks that fill up, calls that fail, journals that were cut or have flipped bits: what was reported done is kept, nothing is
half, the message says what to do, and the same command afterwards ends exactly as if nothing had been."""

import os
import random
import re
import shutil
import signal
import subprocess
import time
import unittest

from poslab_case import BINARY, BUILD, PoslabCase
from survival import is_sanitized, journal_rows, kept_cells

STUDY = """
format = 1
title = "small"
seed = 7
[model]
d_model = 32
heads = 4
[[scheme]]
use = "none"
[[scheme]]
use = "sinusoidal"
[[scheme]]
use = "rope"
[[experiment]]
use = "uniqueness"
[experiment.axes]
length = {lengths}
"""
LENGTHS = "[8, 12, 16, 24, 32, 64, 200]"
# Enough to be caught at: about a second, with curves that take some time to write.
LONGER = STUDY.format(lengths="{ range = [200, 280, 1] }")

# A disk may fail so: the kind of call, the error, and whether it goes on.
FAULTS = [
    ("open", "ENOSPC", False), ("open", "EIO", True),
    ("write", "ENOSPC", True), ("write", "EIO", False), ("write", "EINTR", False), ("write", "short", True),
    ("fsync", "EIO", False), ("fsync", "EIO", True),
    ("rename", "EIO", False), ("rename", "ENOSPC", False),
    ("unlink", "EIO", False), ("unlink", "EIO", True),
    ("truncate", "EIO", False), ("truncate", "ENOSPC", True),
]
MOST = 6  # calls of one kind that are made to fail, one a run, spread over all that a run makes; the rare ones: every one


def spread(count, most):
    return sorted({1 + i * (count - 1) // max(1, min(count, most) - 1) for i in range(min(count, most))})


class DiskCase(PoslabCase):
    def expect_exact(self, file="a.h5"):
        self.assertIn("equal bit for bit", self.expect(0, "compare", "--exact", self.reference, self.scratch / file))

    def names(self):
        return sorted(path.name for path in self.scratch.glob("a.h5*"))

    def undisturbed(self, text):
        study = self.study(text)
        self.reference = self.scratch / "undisturbed.h5"
        self.expect(0, "run", study, "-o", self.reference)
        self.cells = len(journal_rows(self.reference))
        return study

    def clear(self):
        for path in self.scratch.glob("a.h5*"):
            path.unlink()


class FailingCalls(DiskCase):
    """Every kind of call, made to fail at one place after the other by a preloaded library."""

    def preload(self):
        runtime = []
        if is_sanitized(BINARY):  # its runtime has to come first
            linked = subprocess.run(["ldd", BINARY], capture_output=True, text=True).stdout
            runtime = re.findall(r"=> (\S*/libasan\S*)", linked)
            if not runtime:
                self.skipTest("the sanitizer's runtime is inside the program: nothing can be preloaded; build with g++, or without")
        return ":".join([*runtime, str(BUILD / "faults/preload/failing_disk.so")])

    def run_with(self, study, call, at=0, error="EIO", on=False):
        """The finished run whose call number `at` failed, and the log of all calls of that kind."""
        log = self.scratch / "log"
        log.unlink(missing_ok=True)
        environment = {"LD_PRELOAD": self.preload(), "FAILING_DISK_UNDER": str(self.scratch.resolve()), "FAILING_DISK_CALL": call,
                       "FAILING_DISK_AT": str(at), "FAILING_DISK_AS": error, "FAILING_DISK_LOG": str(log)}
        done = self.poslab("run", study, "-o", "a.h5", environment=environment | ({"FAILING_DISK_ON": "1"} if on else {}))
        return done, log.read_text().splitlines() if log.exists() else []

    def right_codes(self, call, error, failed):
        """0 where nothing was lost by it, 4 where something was: never that the study or the command is wrong."""
        if error in ("EINTR", "short"):  # these are no failures, but a way in which calls may end
            return {0}
        if call == "fsync" and set(failed) == {str(self.scratch.resolve())}:  # SQLite does without it, the results file does not
            return {0, 4}
        done_without = {"write": "-lock", "truncate": "-lock", "unlink": "-lock|tmp-[^/]*"}.get(call, "$.")
        return {0} if all(re.search(f"({done_without})$", path) for path in failed) else {4}

    def check(self, study, call, at, error, on):
        done, log = self.run_with(study, call, at, error, on)
        said = done.stdout + done.stderr
        failed = [line for line in log if line.endswith("FAILS")]
        self.assertIn(done.returncode, self.right_codes(call, error, [line.split()[2] for line in failed]), f"{failed}: {said}")
        # SQLite does without the name of a new side file being forced to disk; everything else has to be.
        unforced = {line.split()[2] for line in failed if call == "fsync"} - {str(self.scratch.resolve())}
        self.assertFalse(done.returncode == 0 and unforced, f"a run was called well, but is not on disk: {unforced}")
        if done.returncode == 0:
            self.expect_exact()
        else:
            self.assertTrue(failed, said)
            self.assertRegex(said, "Input/output error|No space left|disk I/O error|disk is full|unable to open", failed)
            self.assertRegex(said, "again|goes on|free some|make room|choose", failed)
            if (self.scratch / "a.h5").exists():
                self.expect_exact()
        before = journal_rows(self.scratch / "a.h5")
        again = self.expect(0, "run", study, "-o", "a.h5")
        self.assertIn(kept_cells(again), (len(before), self.cells))
        self.expect_exact()
        self.assertEqual(self.names(), ["a.h5", "a.h5.journal"], f"{failed}: {said}")
        rows = journal_rows(self.scratch / "a.h5")
        for cell, row in before.items():
            self.assertEqual(rows[cell], row, "work that was kept was done again")
        self.clear()
        return bool(failed)

    def test_whatever_call_fails(self):
        study = self.undisturbed(STUDY.format(lengths=LENGTHS))
        counts = {call: len(self.run_with(study, call)[1]) for call in {call for call, _, _ in FAULTS} if not self.clear()}
        self.clear()
        for call, error, on in FAULTS:
            self.assertGreater(counts[call], 0)
            for at in spread(counts[call], MOST if call == "write" or on else 30):
                with self.subTest(call=call, at=at, error=error, on=on):
                    failed = self.check(study, call, at, error, on)
                    self.assertTrue(failed or at > 1, "the fault does not strike")
                self.clear()


class FullDisk(DiskCase):
    def setUp(self):
        super().setUp()
        if os.geteuid() != 0 or not shutil.which("mount"):
            self.skipTest("mounting a small file system needs root: sudo, or a container in which one is root")
        self.study_file = self.undisturbed(LONGER)
        self.outside, self.scratch = self.scratch, self.scratch / "small"
        self.scratch.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=20m", "tmpfs", self.scratch], capture_output=True).returncode != 0:
            self.skipTest("this machine does not let root mount a tmpfs; another may")
        self.addCleanup(subprocess.run, ["umount", self.scratch])

    def run_until(self, moment):
        """A run that is stopped when `moment()` is true, whose disk is full when it goes on; its exit code, what it says, and
        how many cells were in its journal when it was stopped."""
        held = 0
        run = subprocess.Popen([BINARY, "run", self.study_file, "-o", "a.h5"], cwd=self.scratch, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)
        while run.poll() is None and not moment():
            time.sleep(0.001)
        if run.poll() is None:
            run.send_signal(signal.SIGSTOP)
            held = len(journal_rows(self.scratch / "a.h5"))
            self.fill()
            run.send_signal(signal.SIGCONT)
        said = run.communicate(timeout=120)[0]
        return run.returncode, said, held

    def fill(self):
        with open(self.scratch / "ballast", "wb", buffering=0) as ballast:
            for size in (1 << 20, 1 << 12, 1):
                try:
                    while ballast.write(bytes(size)) == size:
                        pass
                except OSError:
                    pass

    def size(self, pattern):
        try:
            return max((path.stat().st_size for path in self.scratch.glob(pattern)), default=0)
        except FileNotFoundError:
            return 0

    def check(self, moment):
        """How many cells were kept."""
        code, said, held = self.run_until(moment)
        self.assertEqual(code, 4, said)
        self.assertRegex(said, "disk is full|No space left|room")
        self.assertIn("the same command goes on from there", said)
        self.assertFalse((self.scratch / "a.h5").exists())
        self.assertEqual(self.size("a.h5.tmp*"), 0)
        (self.scratch / "ballast").unlink()
        before = len(journal_rows(self.scratch / "a.h5"))
        reported = [int(count) for count in re.findall(rf"^(\d+)/{self.cells} cells", said, re.MULTILINE)]
        self.assertGreater(held, 0, "it was stopped before it had done anything")
        self.assertGreaterEqual(before, max([held, *reported]), said)
        self.assertEqual(kept_cells(self.expect(0, "run", self.study_file, "-o", "a.h5")), before)
        self.assertIn("equal bit for bit", self.expect(0, "compare", "--exact", self.reference, "a.h5"))
        self.assertEqual(self.names(), ["a.h5", "a.h5.journal"])
        return before

    def test_while_the_journal_is_written(self):
        self.check(lambda: self.size("a.h5.journal") > 50000 and not self.size("a.h5.journal-journal"))  # some are committed

    def test_while_the_results_file_is_written(self):
        self.assertEqual(self.check(lambda: self.size("a.h5.tmp*") > 0), self.cells)

    def test_before_it_begins(self):
        """As a task that is put back into its queue, or a merge, on a disk that is still full."""
        self.expect(0, "run", self.study_file, "-o", "m.h5", "--shard", "1/1")
        self.fill()
        for words in (["run", self.study_file, "-o", "a.h5"], ["run", self.study_file, "-o", "m.h5", "--shard", "1/1"],
                      ["merge", "m.1-of-1.h5", "-o", "a.h5"]):
            self.assertRegex(self.expect(4, *words), "only .* are free; make room|No space left on device; make room")
        self.assertEqual(self.names(), [])
        (self.scratch / "ballast").unlink()
        self.expect(0, "merge", "m.1-of-1.h5", "-o", "a.h5")
        self.assertIn("equal bit for bit", self.expect(0, "compare", "--exact", self.reference, "a.h5"))


class DamagedJournal(DiskCase):
    def setUp(self):
        super().setUp()
        self.study_file = self.undisturbed(STUDY.format(lengths=LENGTHS))
        self.whole = (self.scratch / "undisturbed.h5.journal").read_bytes()
        self.random = random.Random(20261121)

    def check(self, journal):
        (self.scratch / "a.h5.journal").write_bytes(journal)
        done = self.poslab("run", self.study_file, "-o", "a.h5")
        said = done.stdout + done.stderr
        if done.returncode == 2:  # it no longer looks like a journal of ours: nobody's work is thrown away unasked
            self.assertRegex(said, "no journal of poslab|has journal format")
            self.assertFalse((self.scratch / "a.h5").exists())
            self.assertEqual((self.scratch / "a.h5.journal").read_bytes(), journal)
            (self.scratch / "a.h5.journal").unlink()
            self.expect(0, "run", self.study_file, "-o", "a.h5")
        else:
            self.assertEqual(done.returncode, 0, said)
            if kept_cells(said) < self.cells:
                self.assertRegex(said, "wrong checksum|was corrupt: it is kept as|was empty")
        self.expect_exact()
        self.assertEqual({name for name in self.names() if "corrupt" not in name}, {"a.h5", "a.h5.journal"})
        kept = kept_cells(said)
        self.clear()
        return kept

    def test_cut_short(self):
        size = len(self.whole)
        lengths = {0, 1, 15, 16, 99, 100, 4095, 4096, 4097, 8192, size // 2, size - 4096, size - 1}
        lengths |= {self.random.randrange(size) for _ in range(8)}
        for length in sorted(lengths):
            with self.subTest(length=length):
                self.check(self.whole[:length])
            self.clear()

    def test_flipped_bits(self):
        kept = []
        for _ in range(32):
            place, bit = self.random.randrange(len(self.whole)), self.random.randrange(8)
            journal = bytearray(self.whole)
            journal[place] ^= 1 << bit
            with self.subTest(place=place, bit=bit):
                kept.append(self.check(bytes(journal)))
            self.clear()
        self.assertGreater(sum(0 < count < self.cells for count in kept), 0, "no flip has cost just a cell")

    def test_every_byte_of_the_header(self):
        for place in sorted({*range(16, 100, 3), 18, 19, 44, 60, 63, 68, 71}):
            journal = bytearray(self.whole)
            journal[place] ^= 0x40
            with self.subTest(place=place):
                self.check(bytes(journal))
            self.clear()


if __name__ == "__main__":
    unittest.main()
