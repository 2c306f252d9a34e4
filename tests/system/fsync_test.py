"""What a run calls done was forced to disk before: the journal at each commit, the results file before it gets its name, and the
directory that has the name. And where two runs could not be kept apart, none begins."""

import re
import subprocess
import unittest

from poslab_case import BINARY, BUILD, PoslabCase
from survival import is_sanitized


class Fsync(PoslabCase):
    def run_with(self, *kinds, at=0, error="EIO", on=False):
        """The finished run whose call number `at` of these kinds failed, and all such calls: [(kind, name)]."""
        runtime = []
        if is_sanitized(BINARY):  # its runtime has to come first
            runtime = re.findall(r"=> (\S*/libasan\S*)", subprocess.run(["ldd", BINARY], capture_output=True, text=True).stdout)
            if not runtime:
                self.skipTest("the sanitizer's runtime is inside the program: nothing can be preloaded; build with g++, or without")
        log, folder = self.scratch / "log", str(self.scratch.resolve())
        log.unlink(missing_ok=True)
        environment = {"LD_PRELOAD": ":".join([*runtime, str(BUILD / "faults/preload/failing_disk.so")]), "FAILING_DISK_UNDER": folder,
                       "FAILING_DISK_CALL": " ".join(kinds), "FAILING_DISK_AT": str(at), "FAILING_DISK_AS": error,
                       "FAILING_DISK_LOG": str(log)}
        done = self.poslab("run", self.study(), "-o", "a.h5", environment=environment | ({"FAILING_DISK_ON": "1"} if on else {}))
        lines = [line.split() for line in log.read_text().splitlines()]
        return done, [(line[0], "the directory" if line[2] == folder else line[2].removeprefix(f"{folder}/")) for line in lines]

    def test_a_results_file_is_on_disk_before_it_gets_its_name_and_the_name_before_the_run_is_over(self):
        done, calls = self.run_with("fsync", "rename")
        self.assertEqual(done.returncode, 0, done.stderr)
        temporary = calls[-3][1]
        self.assertRegex(temporary, r"^a\.h5\.tmp-")
        self.assertEqual(calls[-3:], [("fsync", temporary), ("rename", temporary), ("fsync", "the directory")])
        self.assertIn(("fsync", "a.h5.journal"), calls[:-3])

    def test_every_commit_of_the_journal_is_forced_to_disk(self):
        calls = self.run_with("fsync", "unlink")[1]
        commits = [i for i, call in enumerate(calls) if call == ("unlink", "a.h5.journal-journal")]
        self.assertGreaterEqual(len(commits), 3, "its tables, its run, and at least once its cells")
        for i in commits:  # from here on there is no way back
            self.assertEqual(calls[i - 1], ("fsync", "a.h5.journal"))
            self.assertIn(("fsync", "a.h5.journal-journal"), calls[:i - 1])

    def test_what_cannot_be_forced_to_disk_is_not_called_done(self):
        self.run_with("fsync")
        count = len(self.run_with("fsync")[1])  # of a run that finds all cells in the journal
        for at, what in ((count, "the directory"), (count - 1, "the results file")):
            with self.subTest(what):
                done, calls = self.run_with("fsync", at=at)
                self.assertEqual(calls[at - 1][1].partition("-")[0], {"the results file": "a.h5.tmp"}.get(what, what))
                self.assertEqual(done.returncode, 4, done.stderr)
                self.assertIn("cannot be forced to disk: Input/output error", done.stderr)
                self.assertIn("8 of 8 cells are kept", self.expect(0, "run", self.study(), "-o", "a.h5"))

    def test_a_file_system_without_locks_is_refused(self):
        done, calls = self.run_with("lock", at=1, error="ENOLCK", on=True)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("this file system offers no locks (No locks available), so that two runs could write one journal", done.stderr)
        self.assertIn("-o", done.stderr)
        self.assertEqual([path.name for path in self.scratch.glob("a.h5*")], [])

    def test_a_lock_that_cannot_be_asked_for_leaves_the_file_of_whoever_holds_it(self):
        lock = self.scratch / "a.h5.journal-lock"
        lock.write_text("process 4711 on node7")
        done, calls = self.run_with("lock", at=1, error="ENOLCK", on=True)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(lock.read_text(), "process 4711 on node7")


if __name__ == "__main__":
    unittest.main()
