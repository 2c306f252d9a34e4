# SPDX-License-Identifier: Apache-2.0
"""A study whose rows give layers different schemes: what results say of them, on every way of running it, and what
training, resuming and given weights make of them."""

import signal
import subprocess
import sys
import time
import unittest

import h5py
import numpy as np

from poslab_case import BINARY, BUILD, SOURCE, PoslabCase
from survival import stored_checkpoints, wait_until_alone

HEAD = """
format = 1
title = "layers"
seed = 5
[model]
d_model = 16
heads = 2
"""
MIXED = """
[[scheme]]
layers = ["rope", "rope", "none"]
[[scheme]]
label = "everything"
layers = [{ use = "rope", set = { base = 100.0 } }, "t5", "learned", { use = "shaw", set = { clip = 3 } }]
"""
PLAIN = """
[[scheme]]
use = "rope"
"""
BIAS = """
[[experiment]]
use = "first-position-bias"
repeats = {repeats}
axes = {{ length = 12, depth = [1, 2, 5] }}
"""
STACKS = BIAS.format(repeats=2) + """
[[experiment]]
use = "survival"
repeats = 1
axes = { length = 8, sequences = 12, held_out = 5, depth = [0, 5] }
"""
LOOKS_AT_ONE = """
[[experiment]]
use = "uniqueness"
axes = { length = 8 }
"""
TRAINING = """
[[experiment]]
use = "language-model"
repeats = 1
[experiment.axes]
task = "previous-token"
layers = 5
batch = 4
warm_up = 5
held_out = 8
train_length = 12
multiple = [1, 2]
keep_weights = true
steps = {steps}
"""


class Layers(PoslabCase):
    def expect_same_bits(self, one, other):
        self.assertIn("equal bit for bit", self.expect(0, "compare", "--exact", one, other))

    def rows(self, name, experiment, *columns):
        with h5py.File(self.scratch / name) as file:
            group = file[experiment]
            read = [group[c].asstr()[:] if h5py.check_string_dtype(group[c].dtype) else group[c][:] for c in columns]
            return list(zip(*read))

    def test_results_say_the_layers_and_one_scheme_experiments_are_skipped(self):
        self.study(HEAD + MIXED + PLAIN + STACKS + LOOKS_AT_ONE)
        said = self.expect(0, "run", "study.toml", "-o", "a.h5")
        self.assertIn("2 rope, none", said)
        self.assertIn("everything", said)
        reason = ("uniqueness looks at one scheme, and 2 rope, none has one for each layer; give each of them a [[scheme]] "
                  "of its own")
        self.assertIn(reason, " ".join(self.expect(0, "summary", "a.h5", "--verbose").split()))
        rows = dict((row[0], row[1:]) for row in self.rows("a.h5", "uniqueness", "variant", "scheme", "message"))
        self.assertEqual(rows["2 rope, none"], ("rope+none", reason))
        self.assertEqual(rows["rope"][1], "")
        families = dict(self.rows("a.h5", "/", "variant", "family"))
        self.assertEqual((families["2 rope, none"], families["rope"]), ("mixed", "rotary"))
        by_layer = dict(self.rows("a.h5", "first-position-bias", "variant", "by_layer"))
        self.assertRegex(by_layer["2 rope, none"], r"^2 rope\(base=10000\.0, .*\), none$")
        self.assertRegex(by_layer["everything"], r"^rope\(base=100\.0, .*\), t5\(.*\), learned\(.*\), shaw\(clip=3.*\)$")
        self.assertEqual(by_layer["rope"], "")
        sys.path.insert(0, str(SOURCE / "results" / "python"))
        import poslab
        data = poslab.open(self.scratch / "a.h5")["first-position-bias"]
        self.assertIn("by_layer", data.coords)
        for page in ("a.md", "a.pdf"):
            self.expect(0, "report", "a.h5", "-o", page)
        self.assertIn("`2 rope, none`", (self.scratch / "a.md").read_text())
        with h5py.File(self.scratch / "a.h5") as file:
            plugins = file["provenance/plugins"][()].decode()
        for plugin in ("rope", "none", "t5", "learned", "shaw"):
            self.assertEqual(plugins.count(f'"id": "{plugin}"') + plugins.count(f'"id":"{plugin}"'), 1)
        self.assertNotIn("rope+none", plugins)

    def test_every_way_of_running_gives_the_same_bits(self):
        study = self.study(HEAD + MIXED + PLAIN + STACKS + LOOKS_AT_ONE + TRAINING.format(steps=5))
        self.expect(0, "run", study, "-o", "one.h5", "--threads", "1")
        for number, options in enumerate((["--threads", "2"], ["--threads", "2", "--in-process"])):
            self.expect(0, "run", study, "-o", f"{number}.h5", *options)
            self.expect_same_bits("one.h5", f"{number}.h5")
        for shard in (1, 2):
            self.expect(0, "run", study, "-o", "s.h5", f"--shard={shard}/2")
        self.expect(0, "merge", "-o", "merged.h5", "s.1-of-2.h5", "s.2-of-2.h5")
        self.expect_same_bits("one.h5", "merged.h5")
        self.assertIn("13 cells: kept", self.expect(0, "run", study, "-o", "one.h5", "--plan"))

    def test_a_list_of_equal_layers_is_that_scheme(self):
        rows = {"list.toml": '[[scheme]]\nlayers = ["t5", "t5"]\n', "plain.toml": '[[scheme]]\nuse = "t5"\n'}
        for name, row in rows.items():
            self.study(HEAD + row + STACKS + TRAINING.format(steps=3), name)
            self.expect(0, "run", name)
        self.expect_same_bits("list.h5", "plain.h5")

    def test_a_row_has_the_numbers_of_its_first_layers_wherever_it_goes_on(self):
        self.study(HEAD + MIXED + PLAIN + STACKS)
        self.expect(0, "run", "study.toml", "-o", "a.h5")
        curves = {}
        for variant, repeat, share in self.rows("a.h5", "first-position-bias", "variant", "repeat", "context_share"):
            curves[variant, repeat] = share
        for repeat in (0, 1):
            mixed, rope = curves["2 rope, none", repeat], curves["rope", repeat]
            np.testing.assert_array_equal(mixed[:2], rope[:2])
            self.assertNotEqual(mixed[2], rope[2])

    def test_a_killed_training_goes_on_with_the_same_bits_and_its_weights_are_taken(self):
        study = self.study(HEAD + MIXED + TRAINING.format(steps=800))
        self.expect(0, "run", study, "-o", "undisturbed.h5", "--threads", "1")
        words = [BINARY, "run", study, "-o", "a.h5", "--checkpoint", "0", "--threads", "1"]
        run = subprocess.Popen([str(word) for word in words], cwd=self.scratch, stdout=subprocess.DEVNULL)
        self.addCleanup(run.wait)
        end = time.monotonic() + 120
        while max(stored_checkpoints(self.scratch / "a.h5"), default=0) < 40:
            self.assertIsNone(run.poll(), "it is over")
            self.assertLess(time.monotonic(), end)
        run.send_signal(signal.SIGKILL)
        run.wait()
        self.assertEqual(wait_until_alone(self.scratch), {})
        self.assertIn("goes on from a checkpoint: step ", self.expect(0, "run", study, "-o", "a.h5", "--plan", "--verbose"))
        self.expect(0, "run", study, "-o", "a.h5", "--threads", "1")
        self.expect_same_bits("undisturbed.h5", "a.h5")
        with h5py.File(self.scratch / "a.h5") as file:
            group = next(group for group in file["trained"].values() if group.attrs["variant"] == "everything")
            kept = sorted(name for name in group if name.startswith("scheme."))
        # Layer 1 is T5's, layer 2 learned, layer 3 Shaw's; rope, in layers 0 and 4, has none.
        self.assertEqual({name.rsplit(".", 1)[1] for name in kept}, {"1", "2", "3"})
        self.study(HEAD + MIXED + BIAS.format(repeats=1), "asked.toml")
        self.expect(0, "run", "asked.toml", "-o", "drawn.h5")
        said = self.expect(0, "run", "asked.toml", "-o", "given.h5", "--weights", "a.h5")
        self.assertIn("trained on previous-token, 5 layers, 800 steps", " ".join(said.split()))
        before, after = (dict(self.rows(name, "first-position-bias", "variant", "message")) for name in ("drawn.h5", "given.h5"))
        self.assertEqual(before["everything"], "untrained weights")
        self.assertEqual(after["everything"], "trained on previous-token, 5 layers, 800 steps")

    def test_an_array_of_a_file_is_given_to_one_layer(self):
        self.study(HEAD + '[[scheme]]\nlayers = ["rope", "learned"]\n' + BIAS.format(repeats=1))
        table = np.random.default_rng(1).normal(size=(12, 16))
        np.save(self.scratch / "t.npy", table)
        self.expect(0, "run", "study.toml", "-o", "a.h5", "--weights", "rope+learned.table/1=t.npy")
        (message, given), = self.rows("a.h5", "first-position-bias", "message", "context_share")
        self.assertIn("given weights: table/1 from file ", message)
        self.expect(0, "run", "study.toml", "-o", "b.h5")
        self.assertNotEqual(list(given), list(self.rows("b.h5", "first-position-bias", "context_share")[0][0]))
        for name, words in {"table/0": 'scheme "rope" has no weight "table"', "table": '"table" is of no layer',
                            "table/3": "layer 1 was not given"}.items():
            said = self.expect(2, "run", "study.toml", "-o", "c.h5", "--weights", f"rope+learned.{name}=t.npy")
            self.assertIn(words, " ".join(said.split()))
        self.study(HEAD + '[[scheme]]\nuse = "learned"\n' + BIAS.format(repeats=1))
        for name, words in {"table/0": 'all layers of scheme "learned" have one weight table: it is given as table, without a layer',
                            "table/first": "behind the / stands the number of a layer, as in table/0"}.items():
            said = self.expect(2, "run", "study.toml", "-o", "d.h5", "--weights", f"learned.{name}=t.npy")
            self.assertIn(words, " ".join(said.split()))

    def test_a_crash_names_every_plugin_of_the_row_and_costs_only_its_cells(self):
        self.study(HEAD + '[[scheme]]\nlayers = ["rope", { use = "misbehaves", set = { mode = "segfault" } }]\n' + PLAIN +
                   BIAS.format(repeats=5))
        self.expect(3, "run", "study.toml", "-o", "a.h5", "--plugins", BUILD / "faults/misbehaves")
        cells = self.rows("a.h5", "first-position-bias", "scheme", "status", "message")
        self.assertEqual([status for scheme, status, _ in cells if scheme == "rope"], [0] * 5)
        said = [message for scheme, _, message in cells if scheme == "rope+misbehaves"]
        for message in said[:3]:
            self.assertRegex(message, r"plugins rope\+misbehaves \(.*/rope\.so, .*/misbehaves\.so\) died of SIGSEGV")
        for message in said[3:]:
            self.assertIn("so it was quarantined for this run", message)

    def test_another_list_makes_only_its_own_cells_new(self):
        study = self.study(HEAD + MIXED + PLAIN + STACKS)
        self.expect(0, "run", study, "-o", "a.h5")
        self.study(HEAD + MIXED.replace('"rope", "rope", "none"', '"rope", "none"') + PLAIN + STACKS)
        plan = self.expect(0, "run", study, "-o", "a.h5", "--plan")
        self.assertIn("6 cells: kept\n       3 cells: new\n", plan)


if __name__ == "__main__":
    unittest.main()
