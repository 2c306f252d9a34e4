"""Runs that are killed with SIGKILL lose nothing: twenty at random moments, and some at moments that are hard to hit.
By hand, two hundred: /usr/bin/python3 tests/system/kills.py --kills 200"""

import contextlib
import os
import signal
import subprocess
import time
import unittest

from kills import Campaign
from poslab_case import BINARY, BUILD, SMALL_STUDY, PoslabCase
from survival import children_of, is_sanitized

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
        self.expect(0, "run", study, "-o", "undisturbed.h5")
        struck = 0
        for moment in range(0, 100, 4):  # milliseconds; scanning takes about 50
            run = subprocess.Popen([BINARY, "run", study, "-o", "a.h5"], cwd=self.scratch, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
            time.sleep(moment / 1000)
            for worker in children_of(run.pid):
                with contextlib.suppress(ProcessLookupError):  # it has just ended
                    os.kill(worker, signal.SIGKILL)
                    struck += 1
            said = run.communicate(timeout=120)[0]
            self.assertEqual(run.returncode, 0, f"{moment} ms: {said}")
            self.expect(0, "compare", "--exact", "undisturbed.h5", "a.h5")
            (self.scratch / "a.h5").unlink()
            (self.scratch / "a.h5.journal").unlink()
        self.assertGreater(struck, 0)

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
