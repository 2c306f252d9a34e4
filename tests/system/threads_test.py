"""The same results bit for bit on any threads, workers and shards, in this process or resumed; Ctrl-C leaves a readable file; a failing
cell harms no other."""

import json
import signal
import subprocess
import time

import h5py
from poslab_case import BINARY, BUILD, SMALL_STUDY, SOURCE, PoslabCase
from survival import is_sanitized, watches_threads

# Contents count here, so that a scheme whose part depends on them is not skipped.
SHIFT_STUDY = SMALL_STUDY.replace('use = "uniqueness"', 'use = "relative-shift"\nrepeats = 1')


class Threads(PoslabCase):
    def test_a_study_gives_the_same_bits_however_it_is_run(self):
        study = self.study((SOURCE / "experiments/studies/quickstart.toml").read_text().replace("repeats = 40", "repeats = 3"))
        lengths = "32,128" if watches_threads(BINARY) or is_sanitized(BINARY) else "48,256"
        run = ["run", study, "--axis", "d_model=64", "--axis", f"length={lengths}", "--axis", "train_length=128",
               "--axis", "samples=2"]
        self.expect(0, *run, "--threads", 1, "-o", "1.h5")
        ways = {"2": ["--threads", 2], "5": ["--threads", 5], "8": ["--threads", 8],
                "workers": ["--threads", 3, "--workers", 3], "here": ["--in-process", "--threads", 2]}
        if watches_threads(BINARY):  # shards and resumed runs add processes, not threads
            ways = {name: ways[name] for name in ("5", "workers", "here")}
        for name, options in ways.items():
            self.expect(0, *run, *options, "-o", f"{name}.h5")
            self.expect_equal(name)
        if watches_threads(BINARY):
            return
        for shard in (1, 2, 3):
            self.expect(0, *run, "--shard", f"{shard}/3", "-o", "merged.h5")
        self.expect(0, "merge", "-o", "merged.h5", *sorted(self.scratch.glob("merged.*-of-3.h5.journal")))
        process = self.begin([*run, "-o", "resumed.h5"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        process.kill()
        self.assertEqual(process.wait(), -signal.SIGKILL, "it was over before it could be killed")
        self.assertIn("are kept from an earlier run", self.expect(0, *run, "-o", "resumed.h5"))
        for name in ("merged", "resumed"):
            self.expect_equal(name)

    def expect_equal(self, name):
        self.assertIn("equal bit for bit", self.expect(0, "compare", "--exact", "1.h5", f"{name}.h5"), name)

    def begin(self, arguments, **options):
        """A run of which some cells, but not all, are in the journal."""
        process = subprocess.Popen([BINARY, *map(str, arguments)], cwd=self.scratch, **options)
        output = arguments[arguments.index("-o") + 1]
        while process.poll() is None:
            status = self.poslab("status", output, "--json")
            if status.returncode != 2 and json.loads(status.stdout)["journals"][0]["ok"] > 5:
                break
            time.sleep(0.02)
        return process

    def test_interrupt_leaves_a_readable_file(self):
        study = self.study(SMALL_STUDY.replace("[8, 16]", "{ range = [2000, 2300, 1] }"))
        process = self.begin(["run", study, "-o", "a.h5"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        process.send_signal(signal.SIGINT)
        output = process.communicate(timeout=120)[0]
        self.assertEqual(process.returncode, 130, output)
        self.assertIn("not run", output)
        with h5py.File(self.scratch / "a.h5") as file:
            done = len(file["id"])
            self.assertGreater(done, 0)
            self.assertLess(done, 4 * 301)
            self.assertEqual(int(file.attrs["complete"]), 0)
            self.assertEqual(int(file.attrs["planned_cells"]), 4 * 301)
            self.assertEqual(len(file["uniqueness/min_distance"]), done)

    def test_a_failing_cell_is_a_result_and_the_rest_goes_on(self):
        study = self.study(SHIFT_STUDY + '\n[[scheme]]\nuse = "toy"\nset = { mode = "gives_nan" }\n'
                           '[[scheme]]\nuse = "toy"\nset = { mode = "strange" }\n')
        output = self.expect(3, "run", study, "--plugins", BUILD / "plugins", "--plugins", BUILD / "faults/toy", "-o", "a.h5")
        self.assertIn("failed: relative-shift of toy", output)
        self.assertIn("strange things", output)
        with h5py.File(self.scratch / "a.h5") as file:
            status = dict(zip((v.decode() for v in file["relative-shift/variant"][:]), file["relative-shift/status"][:]))
            message = dict(zip((v.decode() for v in file["relative-shift/variant"][:]), file["relative-shift/message"].asstr()[:]))
            self.assertEqual(status["rope"], 0)
            self.assertEqual(status["toy(mode=gives_nan)"], 1)
            self.assertIn("nan", message["toy(mode=gives_nan)"])

    def test_fail_fast_stops_after_the_first_failure(self):
        study = self.study(SHIFT_STUDY + '\n[[scheme]]\nuse = "toy"\nset = { mode = "strange" }\n')
        output = self.expect(4, "run", study, "--plugins", BUILD / "plugins", "--plugins", BUILD / "faults/toy", "--fail-fast",
                             "--threads", 1, "--axis", "length=64,65,66,67,68,69,70")
        self.assertIn("not run", output)
