# SPDX-License-Identifier: Apache-2.0
"""Studies that train: killed and resumed, in shards and on other numbers of threads they end with the same bits, and
what cannot be trained is a sentence."""

import os
import signal
import subprocess
import time
import unittest

import h5py

from poslab_case import BINARY, PoslabCase
from survival import children_of, stored_checkpoints, wait_until_alone

HEAD = """
format = 1
title = "small networks"
seed = 5
[model]
d_model = 16
heads = 2
[[scheme]]
use = "learned"
[[scheme]]
use = "t5"
"""
EXPERIMENT = """
[[experiment]]
use = "{id}"
repeats = {repeats}
[experiment.axes]
layers = 1
batch = 8
warm_up = 5
held_out = 16
{axes}
"""

many_steps = 3000  # far more than a run makes until it is killed, also where the test has to wait for the processor


def language_model(repeats=1, axes="", task="previous-token", steps=300):
    lines = f'task = "{task}"\nsteps = {steps}\ntrain_length = 12\nmultiple = [1, 2]\n{axes}'
    return EXPERIMENT.format(id="language-model", repeats=repeats, axes=lines)


def length_generalisation(repeats=1, axes="", steps=300):
    lines = f'task = "reverse"\nsteps = {steps}\nlargest = 4\nsize = [2, 4, 6]\n{axes}'
    return EXPERIMENT.format(id="length-generalisation", repeats=repeats, axes=lines)


class Training(PoslabCase):
    def begin(self, study, *options):
        words = ["run", study, "-o", "a.h5", "--checkpoint", "0", *options]
        run = subprocess.Popen([BINARY, *map(str, words)], cwd=self.scratch, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(run.stdout.close)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        return run

    def furthest(self):
        return max(stored_checkpoints(self.scratch / "a.h5"), default=0)

    def wait_for_step(self, step, run):
        """Until a cell has stored a checkpoint of this step or a later one."""
        end = time.monotonic() + 120
        while self.furthest() < step:
            self.assertIsNone(run.poll(), "it is over")
            self.assertLess(time.monotonic(), end)

    def expect_same_bits(self, one, other):
        self.assertIn("equal bit for bit", self.expect(0, "compare", "--exact", one, other))

    def test_a_killed_run_goes_on_with_the_same_bits(self):
        study = self.study(HEAD + language_model(axes="keep_weights = true", steps=many_steps))
        self.expect(0, "run", study, "-o", "undisturbed.h5", "--threads", "1")
        earlier = 0
        for step in (40, 130, 220):
            run = self.begin(study, "--threads", "1")
            while not (begun := self.furthest()) > earlier:
                # A run that began anew would put an earlier step in place of the one that is stored.
                self.assertGreaterEqual(begun, earlier)
                self.assertIsNone(run.poll())
            self.wait_for_step(step, run)
            run.kill()
            run.wait()
            self.assertEqual(wait_until_alone(self.scratch), {})
            earlier = self.furthest()
            self.assertGreaterEqual(earlier, step)
        plan = self.expect(0, "run", study, "-o", "a.h5", "--plan", "--verbose")
        self.assertIn(f"goes on from a checkpoint: step {earlier} of {many_steps}", plan)
        self.expect(0, "run", study, "-o", "a.h5", "--threads", "1")
        self.expect_same_bits("undisturbed.h5", "a.h5")

    def test_a_killed_worker_costs_no_bits(self):
        self.expect_nothing_lost_with_workers(length_generalisation(axes="keep_weights = true", steps=many_steps))

    def test_a_worker_killed_while_rates_are_tried_costs_no_bits(self):
        """Both repeats of a scheme wait for what the first of them tries; every training is of `many_steps`."""
        self.expect_nothing_lost_with_workers(length_generalisation(2, "rate_factors = [0.3, 1]", steps=many_steps))
        with h5py.File(self.scratch / "a.h5") as file:
            group = file["length-generalisation"]
            chosen, scheme = group["chosen_rate"][()], group["scheme"].asstr()[()]
            self.assertEqual({name: len(set(chosen[scheme == name])) for name in scheme}, {"learned": 1, "t5": 1})

    def expect_nothing_lost_with_workers(self, experiment):
        """The same bits where all workers are killed when one of them has made 60 steps of a training."""
        study = self.study(HEAD + experiment)
        self.expect(0, "run", study, "-o", "undisturbed.h5", "--threads", "2")
        run = self.begin(study, "--threads", "2")
        self.wait_for_step(60, run)
        struck = [worker for worker in children_of(run.pid) if not os.kill(worker, signal.SIGKILL)]
        said = run.communicate(timeout=240)[0]
        self.assertEqual(run.returncode, 0, said)
        self.assertTrue(struck)
        self.expect_same_bits("undisturbed.h5", "a.h5")

    def test_threads_workers_and_shards_give_the_same_bits(self):
        study = self.study(HEAD + language_model(2, "keep_weights = true\nrate_factors = [1, 3]", steps=40) + length_generalisation(2, steps=40))
        self.expect(0, "run", study, "-o", "one.h5", "--threads", "1")
        for number, options in enumerate((["--threads", "2"], ["--threads", "2", "--in-process"])):
            self.expect(0, "run", study, "-o", f"{number}.h5", *options)
            self.expect_same_bits("one.h5", f"{number}.h5")
        for shard in (1, 2):
            self.expect(0, "run", study, "-o", "s.h5", f"--shard={shard}/2")
        self.expect(0, "merge", "-o", "merged.h5", "s.1-of-2.h5", "s.2-of-2.h5")
        self.expect_same_bits("one.h5", "merged.h5")

    def test_a_training_that_diverges_fails_its_cell_with_step_and_rate(self):
        study = self.study(HEAD + language_model(axes="learning_rate = [1e-3, 1e30]\nclip = 1e30", steps=20))
        said = self.expect(3, "run", study, "-o", "a.h5")
        self.assertIn("2 cells ok, 2 failed", said)
        self.assertRegex(said, r"training diverged at step [1-9]: .* at a\s+learning rate of \d")

    def test_weights_of_a_scheme_are_trained_on(self):
        self.study(HEAD + language_model(axes="keep_weights = true", steps=40), "first.toml")
        self.expect(0, "run", "first.toml", "-o", "first.h5")
        again = self.study(HEAD + language_model(axes="keep_weights = true", steps=1))
        with h5py.File(self.scratch / "first.h5") as file:
            words = [word for cell, group in file["trained"].items() for name in group if name.startswith("scheme.")
                     for word in ("--weights", f"{group.attrs['scheme']}.{name[7:]}=first.h5:trained/{cell}/{name}")]
        said = self.expect(0, "run", again, "-o", "again.h5", *words)
        self.assertIn("† trained on previous-token, 1 layer, ", " ".join(said.split()))
        before, after = self.tables("first.h5"), self.tables("again.h5")
        self.assertEqual(before.keys(), after.keys())
        for scheme in before:
            self.assertLess(abs(after[scheme] - before[scheme]).max(), 0.01)
            self.assertGreater(abs(after[scheme] - before[scheme]).max(), 0)

    def tables(self, name):
        """The one array of each scheme that a run has kept."""
        with h5py.File(self.scratch / name) as file:
            groups = file["trained"].values()
            return {group.attrs["scheme"]: next(group[key][()] for key in group if key.startswith("scheme.")) for group in groups}

    def test_a_text_is_needed_and_must_serve(self):
        study = self.study(HEAD + language_model(task="text", steps=3))
        self.assertIn("--data text=FILE", self.expect(2, "run", study, "-o", "a.h5"))
        for content, words in ((b"", "is empty"), (b"ab\0" * 40, "is a binary file"), (b"too short", "has 9 characters"),
                               (b"ab" * 50, "windows of up to 9 do")):
            with self.subTest(words):
                (self.scratch / "text").write_bytes(content)
                self.assertIn(words, " ".join(self.expect(2, "run", study, "-o", "a.h5", "--data", "text=text").split()))
                self.assertFalse((self.scratch / "a.h5").exists())
        (self.scratch / "text").write_bytes(b"a text to be going on with. " * 20)
        self.expect(0, "run", study, "-o", "a.h5", "--data", "text=text")
        (self.scratch / "text").write_bytes(b"b text to be going on with. " * 20)
        self.assertNotIn("2 of 2 cells are kept", self.expect(0, "run", study, "-o", "a.h5", "--data", "text=text"))
        self.assertIn("2 of 2 cells are kept", self.expect(0, "run", study, "-o", "a.h5", "--data", "text=text"))

    def test_a_training_beyond_the_memory_is_not_begun(self):
        study = self.study(HEAD + language_model(axes="feed_forward = 1000", steps=10))
        self.assertIn("the memory budget is 1.0 MiB", self.expect(2, "run", study, "-o", "a.h5", "--memory", "1MiB"))


if __name__ == "__main__":
    unittest.main()
