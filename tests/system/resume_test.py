# SPDX-License-Identifier: Apache-2.0
"""A run that was killed, interrupted or begun twice goes on from its journal, and ends as if nothing had happened."""

import json
import signal
import subprocess
import time

from poslab_case import BINARY, SMALL_STUDY
from resume_case import ResumeCase
from survival import is_sanitized

# Some seconds of cells of some milliseconds, ten times as many under a sanitizer.
LAST = 1000 if is_sanitized(BINARY) else 1400
LONGER_STUDY = SMALL_STUDY.replace("[8, 16]", f"{{ range = [900, {LAST}, 1] }}")
CELLS = 4 * (LAST - 900 + 1)


class Resume(ResumeCase):
    def start(self, study, *arguments):
        process = subprocess.Popen([BINARY, "run", study, "--threads", "1", *arguments], cwd=self.scratch, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def wait_for_cells(self, output, count):
        """Looks at the journal, as a person would, until so many cells are done; returns what it said then."""
        for _ in range(3000):
            done = self.poslab("status", output, "--json")
            self.assertNotIn("locked", done.stderr)
            if done.returncode in (0, 3, 4) and json.loads(done.stdout)["sum"]["ok"] >= count:
                return json.loads(done.stdout)
            time.sleep(0.02)
        self.fail("the run does not get on")

    def hold(self, process, output):
        """Stops a run, but not where it keeps everybody from its journal, in a commit."""
        for _ in range(10):
            process.send_signal(signal.SIGSTOP)
            if self.poslab("status", output).returncode == 4:
                return
            process.send_signal(signal.SIGCONT)
            self.assertIsNone(process.poll(), "the run ended too soon")
            time.sleep(0.05)
        self.fail("the run cannot be held")

    def test_killed_and_run_again_it_ends_as_if_nothing_had_happened(self):
        study = self.study(LONGER_STUDY)
        process = self.start(study, "-o", "a.h5")
        seen = self.wait_for_cells("a.h5", 20)
        process.kill()
        process.wait()
        self.assertFalse((self.scratch / "a.h5").exists())
        self.assertTrue((self.scratch / "a.h5.journal-lock").exists())
        kept = self.status(4, "a.h5")
        self.assertGreaterEqual(kept["sum"]["ok"], seen["sum"]["ok"])
        self.assertIsNone(kept["journals"][0]["writer"])
        output = self.expect(0, "run", study, "-o", "a.h5")
        self.assertRegex(output, rf"{kept['sum']['ok']} of {CELLS} cells are kept from an earlier run")
        self.undisturbed(study)
        self.assert_as_undisturbed("a.h5")
        self.assertEqual(self.status(0, "a.h5")["sum"]["left"], 0)

    def test_ctrl_c_and_run_again(self):
        study = self.study(LONGER_STUDY)
        process = self.start(study, "-o", "a.h5")
        self.wait_for_cells("a.h5", 20)
        process.send_signal(signal.SIGINT)
        self.assertIn("not run", process.communicate(timeout=120)[0])
        self.assertEqual(process.returncode, 130)
        self.assertIn("cells are kept", self.expect(0, "run", study, "-o", "a.h5"))
        self.undisturbed(study)
        self.assert_as_undisturbed("a.h5")

    def test_the_second_run_of_one_file_is_told_who_has_it_and_touches_nothing(self):
        study = self.study(LONGER_STUDY)
        process = self.start(study, "-o", "a.h5")
        running = self.wait_for_cells("a.h5", 5)
        self.hold(process, "a.h5")
        self.assertIn(f"process {process.pid} on ", running["journals"][0]["writer"])
        self.assertEqual(running["journals"][0]["planned"], CELLS)
        for arguments in ([], ["--fresh"]):
            output = self.expect(75, "run", study, "-o", "a.h5", *arguments)
            self.assertIn(f"a.h5.journal: another process is writing this file, process {process.pid} on ", output)
        self.assertIn(f"written by process {process.pid}", self.expect(4, "status", "a.h5"))
        process.send_signal(signal.SIGCONT)
        output = process.communicate(timeout=120)[0]
        self.assertEqual(process.returncode, 0, output)
        self.assertFalse((self.scratch / "a.h5.journal-lock").exists())
        self.assertEqual(self.status(0, "a.h5")["sum"]["ok"], CELLS)

    def test_ctrl_c_that_was_ignored_stays_so(self):
        study = self.study(LONGER_STUDY)
        process = subprocess.Popen(["bash", "-c", 'trap "" INT HUP; exec "$0" run "$1" -o a.h5', BINARY, study], cwd=self.scratch,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait_for_cells("a.h5", 20)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGHUP)
        self.assertEqual(process.wait(), 0)
