"""Runs that are killed with SIGKILL lose nothing: twenty at random moments, and some at moments that are hard to hit.
By hand, two hundred: /usr/bin/python3 tests/system/kills.py --kills 200"""

import contextlib
import os
import signal
import subprocess
import time
import unittest

from campaign import Campaign
from killed_run import Trace
from poslab_case import BINARY, BUILD, SMALL_STUDY, PoslabCase
from survival import children_of, is_sanitized, journal_rows

# Many cells with long curves: the results file takes a good part of the run.
CURVES = """
format = 1
title = "curves"
[model]
d_model = 8
heads = 4
[[scheme]]
use = "sinusoidal"
axes = { base = { range = [1000, 1119, 1] } }
[[experiment]]
use = "uniqueness"
[experiment.axes]
length = [200, 300]
"""

# One cell that takes as long as a test wants, and three that are soon done.
LONG_CELL = """
format = 1
title = "one long cell"
[model]
d_model = 8
heads = 4
[[scheme]]
use = "misbehaves"
set = { mode = "keeps_company" }
[[scheme]]
use = "leaves-a-trace"
axes = { number = [1, 2, 3] }
[[experiment]]
use = "uniqueness"
[experiment.axes]
length = [16]
"""


class Kill(PoslabCase):
    def test_twenty_random_kills_end_exactly_as_an_undisturbed_run(self):
        kills = 5 if is_sanitized(BINARY) else 20  # under a sanitizer a run takes ten times as long
        problems = []
        campaign = Campaign(BUILD, self.scratch, 20261121).prepare()
        # How long a run takes changes with what else the machine does, so some moments come too early or too late.
        survived = campaign.strike(kills, lambda kill, problem: problems.append(problem) if problem else None, midway=kills // 2)
        self.assertEqual((survived, problems), (len(campaign.kills), []))
        self.assertGreaterEqual(len(campaign.kills), kills)
        self.assertGreaterEqual(campaign.midway(), kills // 2, "the moments prove nothing")

    def test_a_worker_killed_while_it_scans_or_forecasts_is_not_the_plugins_fault(self):
        study = self.study(SMALL_STUDY + '[[scheme]]\nuse = "shaw"\n')  # its repeats follow from what a worker tells
        began = time.monotonic()
        self.expect(0, "run", study, "-o", "undisturbed.h5")
        seconds = time.monotonic() - began
        struck = 0
        for moment in (seconds * part / 25 for part in range(25)):  # after there is a worker
            run = subprocess.Popen([BINARY, "run", study, "-o", "a.h5"], cwd=self.scratch, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
            while run.poll() is None and not children_of(run.pid):
                time.sleep(0.001)
            time.sleep(moment)
            for worker in children_of(run.pid):
                with contextlib.suppress(ProcessLookupError):  # it has just ended
                    os.kill(worker, signal.SIGKILL)
                    struck += 1
            said = run.communicate(timeout=120)[0]
            self.assertEqual(run.returncode, 0, f"{moment:.3f} s: {said}")
            self.expect(0, "compare", "--exact", "undisturbed.h5", "a.h5")
            (self.scratch / "a.h5").unlink()
            (self.scratch / "a.h5.journal").unlink()
        self.assertGreaterEqual(struck, 5, "the moments prove nothing")

    def test_what_is_done_is_on_disk_soon_though_the_run_goes_on(self):
        # After 0.3 s on a machine that has nothing else to do. Five seconds are no promise: they end the run of a test that fails.
        study = self.study(LONG_CELL)
        (self.scratch / "company").mkdir()
        (self.scratch / "company/gate").write_text("0")
        trace = Trace(self.scratch / "trace")
        self.addCleanup(trace.close)
        plugins = [word for name in ("misbehaves", "leaves_a_trace") for word in ("--plugins", BUILD / "faults" / name)]
        run = subprocess.Popen([BINARY, "run", study, "-o", "a.h5", "--threads", "2", *plugins], cwd=self.scratch,
                               env=os.environ | {"POSLAB_TEST_COMPANY": str(self.scratch / "company"), "POSLAB_TEST_TRACE": str(trace.path)},
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            last = time.monotonic() + 60
            while len(trace.times()) < 3 and run.poll() is None and time.monotonic() < last:
                time.sleep(0.01)
            last = time.monotonic() + 5
            while len(journal_rows(self.scratch / "a.h5")) < 3 and time.monotonic() < last:
                time.sleep(0.05)
            self.assertIsNone(run.poll(), "it waits for the cell that keeps company")
        finally:
            run.kill()
            run.wait()
        self.assertEqual(len(journal_rows(self.scratch / "a.h5")), 3)
        (self.scratch / "company/gate").unlink()
        self.assertIn("3 of 4 cells are kept", self.expect(0, "run", study, "-o", "a.h5", *plugins,
                                                           environment={"POSLAB_TEST_TRACE": str(trace.path)}))

    def test_killed_while_the_results_file_is_written(self):
        study = self.study(CURVES)
        self.expect(0, "run", study, "-o", "undisturbed.h5")
        caught = number = 0
        while caught < 3 and number < 25:
            number += 1
            run = subprocess.Popen([BINARY, "run", study, "-o", "a.h5"], cwd=self.scratch, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
            while run.poll() is None and not self.is_writing():
                time.sleep(0.0005)
            time.sleep(number % 5 * 0.004)
            run.kill()
            run.wait()
            left = self.temporary_files()
            caught += bool(left)
            self.assertLessEqual(len(left), 1, "those of earlier runs are removed")
            if not left:
                self.expect(0, "compare", "--exact", "undisturbed.h5", "a.h5")
                (self.scratch / "a.h5").unlink()
        self.assertGreater(caught, 0)
        self.assertIn("240 of 240 cells are kept", self.expect(0, "run", study, "-o", "a.h5"))
        self.assertIn("equal bit for bit", self.expect(0, "compare", "--exact", "undisturbed.h5", "a.h5"))
        self.assertEqual(self.names("a.h5*"), ["a.h5", "a.h5.journal"])

    def is_writing(self):
        try:
            return any(path.stat().st_size for path in self.scratch.glob("a.h5.tmp*"))
        except FileNotFoundError:  # given its name meanwhile
            return False

    def names(self, pattern):
        return sorted(path.name for path in self.scratch.glob(pattern))

    def temporary_files(self):
        return list(self.scratch.glob("a.h5.tmp*"))


if __name__ == "__main__":
    unittest.main()
