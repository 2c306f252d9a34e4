"""`poslab compare` lives on when HDF5 dies of what somebody has written: it reads in a child, and says what became of that."""

import contextlib
import os
import shutil
import signal
import subprocess
import unittest

from poslab_case import BINARY, SMALL_STUDY, PoslabCase
from survival import children_of, is_sanitized, wait_until_alone


GRID = """
format = 1
title = "A grid"
[model]
d_model = 32
heads = 4
[[scheme]]
use = "rope-2d"
positions = { grid = [3, 4] }
[[experiment]]
use = "norm-preservation"
axes = { length = [12] }
repeats = 2
"""


class OnGrids(PoslabCase):
    """The first measure of norm-preservation is a curve, whose points lie somewhere in each cell of the file."""

    def test_files_are_compared_and_shown(self):
        self.expect(0, "run", self.study(GRID), "-o", "a.h5")
        shutil.copy(self.scratch / "a.h5", self.scratch / "b.h5")
        self.assertIn("equal within tolerance", self.expect(0, "compare", "a.h5", "b.h5"))
        self.assertRegex(self.expect(0, "summary", "a.h5", "--verbose"), r"\n  rope-2d +[✓✗~?] ")


class Compare(PoslabCase):
    # A sanitizer ends the process in its own way at a segmentation fault, but not at what free() does about a wild pointer.
    SIGNAL, WORDS = (signal.SIGABRT, "SIGABRT (aborted)") if is_sanitized(BINARY) else (signal.SIGSEGV, "SIGSEGV (segmentation fault)")

    def test_a_crash_inside_of_hdf5_is_told(self):
        study = self.study(SMALL_STUDY.replace("[8, 16]", "{ range = [200, 300, 1] }"))
        self.expect(0, "run", study, "-o", "a.h5")
        shutil.copy(self.scratch / "a.h5", self.scratch / "b.h5")
        for _ in range(20):  # until one is struck before it is done, which is mostly the first
            parent = subprocess.Popen([BINARY, "compare", "a.h5", "b.h5"], cwd=self.scratch, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True)
            while parent.poll() is None and not children_of(parent.pid):
                pass
            for child in children_of(parent.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, self.SIGNAL)
            said = parent.communicate(timeout=120)[0]
            if parent.returncode:
                break
        self.assertEqual((parent.returncode, said), (2, f"poslab: compare: one of the files ended the process with {self.WORDS}\n"))
        self.assertEqual(wait_until_alone(self.scratch), {}, "processes live on")


if __name__ == "__main__":
    unittest.main()
