"""Odd surroundings, which no plugin and no cell is to blame for: limits, signals, files that change meanwhile."""

import os
import shutil
import subprocess
import threading
import unittest

import h5py
from poslab_case import BINARY, BUILD, SMALL_STUDY, PoslabCase
from survival import is_sanitized

SANITIZED = is_sanitized(BINARY)


class Surroundings(PoslabCase):
    def bash(self, text, *arguments, **options):
        return subprocess.run(["bash", "-c", text, BINARY, *map(str, arguments)], cwd=self.scratch, capture_output=True, text=True,
                              timeout=600, **options)

    def test_where_children_are_not_waited_for_differences_are_still_found(self):
        study = self.study()
        self.expect(0, "run", study, "-o", "a.h5")
        shutil.copy(self.scratch / "a.h5", self.scratch / "b.h5")
        with h5py.File(self.scratch / "b.h5", "r+") as file:
            file["uniqueness/min_distance"][0] = 17
        for command in (["compare", "a.h5", "b.h5"], ["compare", "--exact", "a.h5", "b.h5"]):
            done = self.bash('trap "" CHLD; exec "$0" "$@"', *command)
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual(self.bash('trap "" CHLD; exec "$0" "$@"', "run", study, "-o", "c.h5").returncode, 0)

    def test_stacks_of_many_threads_are_not_taken_from_the_memory_of_cells(self):
        study = self.study(SMALL_STUDY.replace("[8, 16]", "{ range = [8, 60, 1] }"))
        output = self.expect(0, "run", study, "-o", "a.h5", "--threads", 200, "--memory", "64MiB")
        self.assertIn("212 cells ok", output)

    def test_a_worker_that_may_not_start_its_threads_is_nobodys_fault(self):
        if os.geteuid() != 0 or not shutil.which("setpriv"):
            self.skipTest("a limit on processes binds everybody but root, so this wants root and setpriv to be somebody else")
        if SANITIZED:
            self.skipTest("a sanitizer starts threads of its own")
        study = self.study()
        self.scratch.chmod(0o777)
        nobody = 'exec setpriv --reuid 54321 --clear-groups bash -c \'ulimit -u {}; exec "$0" "$@"\' "$0" "$@"'
        if self.bash(nobody.format(100), "--version").returncode != 0:
            self.skipTest("others may not start this build: build it where others may read")
        for most in (3, 4, 5):
            done = self.bash(nobody.format(most), "run", study, "-o", "a.h5", "--threads", "4")
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertIn("ulimit -u", done.stderr)
            self.assertFalse((self.scratch / "a.h5").exists())
        self.assertIn("8 cells ok", self.bash(nobody.format(100), "run", study, "-o", "a.h5", "--threads", "4").stdout)

    def test_what_floods_the_connection_does_not_fill_our_memory(self):
        study = self.study(SMALL_STUDY + '[[scheme]]\nuse = "floods-connection"\n')
        limit = "" if SANITIZED else "ulimit -v 4000000; "
        done = self.bash(limit + 'exec "$0" "$@"', "run", study, "-o", "a.h5", "--threads", "2", "--memory", "1GiB", "--plugins",
                         BUILD / "plugins", "--plugins", BUILD / "faults/floods_connection")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("8 cells ok, 2 crashed", done.stdout)
        self.assertIn("wrote into the connection between worker and host", done.stdout)

    def test_a_library_that_answers_for_us_is_passed_over_by_name(self):
        output = self.expect(0, "run", self.study(), "-o", "a.h5", "--plugins", BUILD / "plugins", "--plugins",
                             BUILD / "faults/answers_on_load")
        self.assertRegex(output, "answers_on_load.so.*wrote into the connection")
        self.assertIn("8 cells ok", output)

    def test_a_library_that_changes_while_it_is_opened_is_not_taken_for_the_new_one(self):
        folder, gate = self.scratch / "plugins", self.scratch / "gate"
        folder.mkdir()
        library = folder / "opens_slowly.so"
        shutil.copy(BUILD / "faults/opens_slowly/opens_slowly.so", library)
        gate.touch()
        os.mkfifo(f"{gate}.begun")

        def rebuild():
            with open(f"{gate}.begun", "rb") as begun:
                begun.read(1)
            (folder / "new").write_bytes(library.read_bytes() + b"another build")
            (folder / "new").rename(library)
            gate.unlink()

        thread = threading.Thread(target=rebuild)
        thread.start()
        output = self.expect(0, "list", "schemes", "--plugins", folder, environment={"POSLAB_TEST_GATE": str(gate)})
        thread.join()
        self.assertIn("was changed while it was loaded", output)
        self.assertIn("opens-slowly", self.expect(0, "list", "schemes", "--plugins", folder))

    def test_a_lock_that_is_not_ours_any_more_stays(self):
        study = self.study(SMALL_STUDY.replace("[8, 16]", "{ range = [900, 1100, 1] }"))
        lock = self.scratch / "a.h5.journal-lock"
        with subprocess.Popen([BINARY, "run", study, "-o", "a.h5"], cwd=self.scratch, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as run:
            while not (lock.exists() and lock.read_text()):
                self.assertIsNone(run.poll())
            lock.unlink()
            lock.write_text("another run's")
        self.assertEqual(lock.read_text(), "another run's")


if __name__ == "__main__":
    unittest.main()
