# SPDX-License-Identifier: Apache-2.0
"""A trained network lasts: kept, gone on with and looked into by other studies, written for PyTorch and read back; and what is
no network for a cell is refused before anything runs."""

import functools
import json
import shutil
import struct
import subprocess
import sys
import unittest

import h5py
import numpy as np
from poslab_case import SOURCE, PoslabCase

SCRIPT = SOURCE / "experiments/studies/network_in_pytorch.py"
HEAD = """
format = 1
title = "networks"
seed = 5
[model]
d_model = 16
heads = 2
"""
SCHEMES = ("rope", "sinusoidal", "alibi", "learned", "t5")


def schemes(*names):
    return "".join(f'[[scheme]]\nuse = "{name}"\n' for name in names)


def language_model(steps, axes="", repeats=1):
    return f"""
[[experiment]]
use = "language-model"
repeats = {repeats}
[experiment.axes]
task = "previous-token"
layers = 2
train_length = 12
multiple = [1]
batch = 8
warm_up = 5
held_out = 16
steps = {steps}
{axes}
"""


def looks():
    return """
[[experiment]]
use = "survival"
repeats = 1
axes = { length = 12, symbols = 16, depth = [0, 1, 2] }
[[experiment]]
use = "first-position-bias"
repeats = 1
axes = { length = 12, depth = [1, 2] }
[[experiment]]
use = "distance-profile"
repeats = 1
axes = { length = 12, contents = 2 }
[[experiment]]
use = "content-independence"
repeats = 1
axes = { length = 12, contents = 4 }
"""


@functools.cache
def python_with_torch():
    """A Python that has PyTorch, or nothing."""
    for python in dict.fromkeys((sys.executable, "/usr/bin/python3")):
        if subprocess.run([python, "-c", "import torch"], capture_output=True).returncode == 0:
            return python
    return None


class NetworkTest(PoslabCase):
    def train(self, *names, axes="keep_weights = true", output="trained.h5", steps=30, repeats=1):
        study = self.study(HEAD + schemes(*names) + language_model(steps, axes, repeats), "train.toml")
        self.expect(0, "run", study, "-o", output)
        return self.scratch / output

    def measure(self, output, experiment, name):
        """By scheme."""
        with h5py.File(self.scratch / output) as file:
            group = file[experiment]
            return dict(zip(group["scheme"].asstr()[:], group[name][()], strict=True))

    def messages(self, output, experiment="language-model"):
        with h5py.File(self.scratch / output) as file:
            return dict(zip(file[experiment]["scheme"].asstr()[:], file[experiment]["message"].asstr()[:], strict=True))

    def test_a_run_does_not_replace_what_it_reads(self):
        before = self.train("rope", steps=3).read_bytes()
        (self.scratch / "link.h5").symlink_to("trained.h5")
        study = self.study(HEAD + schemes("rope") + language_model(0), "trained.toml")  # whose results are trained.h5
        for words in (["run", study], ["run", study, "--fresh"], ["run", study, "-o", "link.h5", "--fresh"], ["run", study, "--plan"],
                      ["submit", study, "--tasks", "2", "--dry-run"]):
            said = self.expect(0 if "--plan" in words else 2, *words, "--network", "trained.h5")
            self.assertIn("is a file that this run reads", said)
            self.assertEqual((self.scratch / "trained.h5").read_bytes(), before)
        self.expect(0, "run", study, "-o", "other.h5", "--network", "trained.h5")

    def test_a_network_is_measured_as_it_was_by_the_run_that_trained_it(self):
        self.train(*SCHEMES, repeats=2)
        again = self.study(HEAD + schemes(*SCHEMES) + language_model(0, repeats=2))
        self.expect(0, "run", again, "-o", "again.h5", "--network", "trained.h5")
        with h5py.File(self.scratch / "trained.h5") as before, h5py.File(self.scratch / "again.h5") as after:
            for name in ("loss", "accuracy", "sink_share"):
                np.testing.assert_array_equal(before["language-model"][name][()], after["language-model"][name][()])
            self.assertEqual(set(after["weights_state"][()]), {3})
            supply = json.loads(after["provenance/supply"].asstr()[()])
        self.assertEqual([entry["path"] for entry in supply], ["trained.h5"])
        self.assertEqual(set(self.messages("again.h5").values()), {"trained on previous-token, 2 layers, 30 steps"})

    def test_a_network_that_was_changed_elsewhere_is_said_to_be(self):
        def edited(name, change):
            """The .safetensors file with its arrays as `change` leaves them."""
            data = bytearray((self.scratch / "net.safetensors").read_bytes())
            start = 8 + struct.unpack("<Q", data[:8])[0]
            header = json.loads(data[8:start])
            header.pop("__metadata__")
            arrays = {key: np.frombuffer(data, {"F32": "<f4", "F64": "<f8"}[one["dtype"]], np.prod(one["shape"], dtype=int),
                                         start + one["data_offsets"][0]) for key, one in header.items()}
            change(arrays)  # which writes through to the bytes
            (self.scratch / name).write_bytes(data)
            return name

        def exchange(arrays):
            for layer in (0, 1):
                query, key = (arrays[f"layers.{layer}.{side}.weight"] for side in ("query", "key"))
                query[:], key[:] = key.copy(), query.copy()

        def nudge(arrays):
            arrays["layers.1.up.weight"][:] *= 1.05

        def spoil(arrays):
            arrays["example.tokens"][2] = 1e6

        changed = "changed since elsewhere: the logits of the example in its file are off by "
        for scheme, axes in (("rope", ""), ("t5", 'dtype = "float64"'), ("learned", "")):
            with self.subTest(scheme):
                trained = self.train(scheme, axes="keep_weights = true\nlearning_rate = 3e-2\n" + axes, output=f"{scheme}.h5")
                (self.scratch / "net.safetensors").unlink(missing_ok=True)
                self.expect(0, "weights", f"{scheme}.h5", "--to", "net.safetensors")
                shutil.copy(trained, self.scratch / "edited.h5")
                with h5py.File(self.scratch / "edited.h5", "r+") as file:
                    file["trained/cell_0/network.layer0.value.weight"][...] *= 1.1
                looks_at, goes_on, measures = (self.study(HEAD + schemes(scheme) + text, f"{number}.toml") for number, text in enumerate(
                    (looks(), language_model(2, axes), language_model(0, axes))))
                for network, said in ((f"{scheme}.h5", ""), ("net.safetensors", ""), ("edited.h5", changed),
                                      (edited("a.safetensors", exchange), changed), (edited("b.safetensors", nudge), changed),
                                      (edited("c.safetensors", spoil), "changed since elsewhere: the example in its file is no longer one")):
                    notes = []
                    for study, experiment in ((looks_at, "survival"), (goes_on, "language-model"), (measures, "language-model")):
                        self.expect(0, "run", study, "-o", "out.h5", "--fresh", "--network", network)
                        notes.append(self.messages("out.h5", experiment)[scheme])
                    for note in notes:
                        self.assertIn("trained on previous-token, 2 layers, 30 steps" + (f", {said}" if said else ""), note)
                        self.assertEqual("elsewhere" in note, bool(said), (network, note))

    def test_a_training_begins_with_it_and_says_so(self):
        self.train("rope", "learned")
        more = self.study(HEAD + schemes("rope", "learned") + language_model(10))
        self.expect(0, "run", more, "-o", "more.h5", "--network", "trained.h5")
        self.assertEqual(set(self.messages("more.h5").values()),
                         {"trained on previous-token, 2 layers, 10 steps; begun with a network trained on "
                          "previous-token, 2 layers, 30 steps"})
        with h5py.File(self.scratch / "trained.h5") as before, h5py.File(self.scratch / "more.h5") as after:
            last = before["language-model/held_out_loss"][:, -1]
            np.testing.assert_allclose(after["language-model/held_out_loss"][:, 0], last, rtol=1e-6)
            ids = after["id"].asstr()[:]
        self.expect(0, "run", more, "-o", "fresh.h5")
        with h5py.File(self.scratch / "fresh.h5") as fresh:
            self.assertFalse(set(ids) & set(fresh["id"].asstr()[:]))
        (self.scratch / "elsewhere.h5").write_bytes((self.scratch / "trained.h5").read_bytes())
        self.assertIn("2 of 2 cells are kept", self.expect(0, "run", more, "-o", "more.h5", "--network", "elsewhere.h5"))

    def test_a_training_goes_on_with_its_moments_as_if_it_had_never_ended(self):
        def study(steps):
            axes = 'keep_weights = true\nmoments = "kept"\nlast_rate = 1.0'
            return self.study(HEAD + schemes("learned") + language_model(steps, axes).replace("warm_up = 5", "warm_up = 0"), f"{steps}.toml")

        half = study(10)
        self.expect(0, "run", study(20), "-o", "one.h5")
        self.expect(0, "run", half, "-o", "half.h5")
        self.expect(0, "run", half, "-o", "other.h5", "--network", "half.h5")
        with h5py.File(self.scratch / "one.h5") as one, h5py.File(self.scratch / "other.h5") as other:
            self.assertIn("optimiser.first.scheme.table", one["trained/cell_0"])
            for name in one["trained/cell_0"]:
                if "." in name:
                    np.testing.assert_array_equal(one["trained/cell_0"][name][()], other["trained/cell_0"][name][()], name)
            np.testing.assert_array_equal(one["language-model/loss"][()], other["language-model/loss"][()])
        said = "trained on previous-token, 2 layers, 10 steps; begun with a network trained on previous-token, 2 layers, 10 steps"
        self.assertEqual(self.messages("other.h5"), {"learned": said + ", with its moments"})
        self.expect(0, "weights", "half.h5", "--to", "half.safetensors")
        self.expect(0, "run", half, "-o", "anew.h5", "--network", "half.safetensors")
        self.assertEqual(self.messages("anew.h5"), {"learned": said + ", which keeps no moments: they begin anew"})
        self.assertNotEqual(self.measure("anew.h5", "language-model", "loss")["learned"].tolist(),
                            self.measure("other.h5", "language-model", "loss")["learned"].tolist())

    def test_other_parameters_of_its_scheme_are_another_variant_of_the_same_network(self):
        self.train("rope")
        stretched = '[[scheme]]\nuse = "rope"\nset = { scaling = "linear", factor = 4.0 }\n'
        study = self.study(HEAD + stretched + language_model(0, "keep_weights = true").replace("= 12", "= 48"))
        self.expect(0, "run", study, "-o", "stretched.h5", "--network", "trained.h5")
        self.assertEqual(set(self.messages("stretched.h5").values()), {"trained on previous-token, 2 layers, 30 steps"})
        with h5py.File(self.scratch / "trained.h5") as before, h5py.File(self.scratch / "stretched.h5") as after:
            for name in before["trained/cell_0"]:
                if name.startswith("network."):
                    np.testing.assert_array_equal(before["trained/cell_0"][name][()], after["trained/cell_0"][name][()])
        both = self.study(HEAD + schemes("rope") + '[[scheme]]\nuse = "rope"\nset = { base = 500.0 }\n'
                          + language_model(3, "keep_weights = true"), "both.toml")
        self.expect(0, "run", both, "-o", "both.h5")
        said = " ".join(self.expect(2, "run", study, "-o", "x.h5", "--network", "both.h5").split())
        self.assertIn("it has 2 networks that could be those of language-model of rope", said)
        tasks = self.study(HEAD + schemes("rope") + language_model(3, "keep_weights = true").replace('"previous-token"', '["markov", "copy"]'),
                           "tasks.toml")
        self.expect(0, "run", tasks, "-o", "tasks.h5")
        self.expect(0, "run", tasks, "-o", "x.h5", "--fresh", "--network", "tasks.h5")
        self.assertEqual(set(self.messages("x.h5").values()) - {f"trained on {task}, 2 layers, 3 steps; begun with a network trained "
                                                               f"on {task}, 2 layers, 3 steps" for task in ("markov", "copy")}, set())
        self.assertIn("it has 2 networks", self.expect(2, "run", self.study(HEAD + schemes("rope") + looks()), "-o", "y.h5",
                                                      "--network", "tasks.h5"))

    def test_other_experiments_look_into_it(self):
        self.train("rope", "learned")
        study = self.study(HEAD + schemes("rope", "learned") + looks())
        self.expect(0, "run", study, "-o", "looks.h5", "--network", "trained.h5")
        self.expect(0, "run", study, "-o", "random.h5")
        for experiment, measure in {"survival": "r2", "first-position-bias": "sink_share", "distance-profile": "mean_random",
                                    "content-independence": "logit_size"}.items():
            with self.subTest(experiment):
                trained, drawn = (self.measure(name, experiment, measure) for name in ("looks.h5", "random.h5"))
                for scheme in trained:
                    self.assertTrue((np.asarray(trained[scheme]) != np.asarray(drawn[scheme])).any())
                self.assertEqual(set(self.messages("looks.h5", experiment).values()),
                                 {"trained on previous-token, 2 layers, 30 steps"})
        for options in (["--in-process"], ["--threads=2", "--workers=2"]):
            self.expect(0, "run", study, "-o", "other.h5", "--network", "trained.h5", "--fresh", *options)
            self.expect(0, "compare", "--exact", "looks.h5", "other.h5")

    def test_an_experiment_without_projections_takes_the_weights_of_the_scheme(self):
        self.train("learned")
        study = self.study(HEAD + schemes("learned") + '[[experiment]]\nuse = "uniqueness"\naxes = { length = 12 }\n')
        self.expect(0, "run", study, "-o", "u.h5", "--weights", "trained.h5")
        self.assertIn("1 of 1 cell is kept", self.expect(0, "run", study, "-o", "u.h5", "--network", "trained.h5"))

    def test_what_is_no_network_of_a_cell_is_refused_before_anything_runs(self):
        self.train("rope", "learned")
        self.train("rope", axes="", output="bare.h5")
        shutil.copy(self.scratch / "trained.h5", self.scratch / "spoilt.h5")
        with h5py.File(self.scratch / "spoilt.h5", "r+") as file:
            file["trained/cell_0/network.norm.weight"][3] = np.nan
        cases = {
            ("rope", "", "trained.h5"): None,
            ("alibi", "", "trained.h5"): "it has no network of alibi (d_model 16, 2 heads), but of learned",
            ("rope", 'norm = "rms"', "trained.h5"): "it was trained with norm = layer, and rms is asked for",
            ("rope", "layers = 3", "trained.h5"): "it was trained with layers = 2, and 3 is asked for",
            ("rope", 'task = "copy-repeated"', "trained.h5"): "its array network/token_embedding is 16 x 16, and",
            ("learned", "train_length = 13", "trained.h5"): "choose the variant and the lengths for which it was trained",
            ("rope", "", "bare.h5"): "keeps no network",
            ("rope", "", "trained.h5:length-generalisation"): "keeps no network that length-generalisation trained, but of language-model",
            ("rope", "", "spoilt.h5"): "its array network/norm/weight is no number at 3",
            ("rope", "", "rope.table=trained.h5"): "arrays are given by --weights",
            ("rope", "", "none.h5"): "none.h5",
            ("rope", "", "train.toml"): "train.toml",
        }
        for (scheme, axes, file), words in cases.items():
            with self.subTest(f"{scheme} {axes} {file}"):
                name = axes.split(" ")[0]
                lines = [line for line in language_model(0, axes).splitlines() if not (name and line.startswith(name) and line != axes)]
                study = self.study(HEAD + schemes(scheme) + "\n".join(lines) + "\n")
                said = self.expect(2 if words else 0, "run", study, "-o", "r.h5", "--network", file, "--fresh")
                self.assertIn(words or "", " ".join(said.split()))
        self.assertIn("repeats are asked for, but what is given was trained in 1", self.expect(
            2, "run", self.study(HEAD + schemes("rope") + language_model(0, repeats=2)), "-o", "r.h5", "--network", "trained.h5"))

    def test_a_training_is_not_begun_with_the_weights_of_a_file_that_has_networks(self):
        self.train("rope", "learned")
        for names in (("learned",), ("rope", "learned")):
            study = self.study(HEAD + schemes(*names) + language_model(1))
            said = " ".join(self.expect(2, "run", study, "-o", "r.h5", "--weights", "trained.h5").split())
            self.assertIn("it holds whole networks, and language-model trains one", said)
            self.assertIn("--network trained.h5", said)
        self.train("rope", output="rope.h5")
        said = self.expect(2, "run", self.study(HEAD + schemes("rope") + language_model(1)), "-o", "r.h5", "--weights", "rope.h5")
        self.assertIn("give the networks that it keeps by --network", said)

    def test_a_network_is_written_for_pytorch_and_read_back(self):
        self.train(*SCHEMES, axes='keep_weights = true\nlearning_rate = 1e-2')
        listed = self.expect(0, "weights", "trained.h5")
        self.assertIn("previous-token, 2 layers, 30 steps", listed)
        self.assertIn("choose one with --cell N", self.expect(2, "weights", "trained.h5", "--to", "x.safetensors"))
        self.assertIn("keeps no network of cell 17", self.expect(2, "weights", "trained.h5", "--to", "x.safetensors", "--cell", "17"))
        for cell, scheme in enumerate(SCHEMES):
            self.expect(0, "weights", "trained.h5", "--cell", cell, "--to", f"{scheme}.safetensors")
            study = self.study(HEAD + schemes(scheme) + language_model(0))
            self.expect(0, "run", study, "-o", "a.h5", "--fresh", "--network", "trained.h5")
            self.expect(0, "run", study, "-o", "b.h5", "--fresh", "--network", f"{scheme}.safetensors")
            self.expect(0, "compare", "--exact", "a.h5", "b.h5")
        self.assertIn("is there already", self.expect(2, "weights", "trained.h5", "--cell", "0", "--to", "rope.safetensors"))
        data = (self.scratch / "learned.safetensors").read_bytes()
        header = json.loads(data[8:8 + struct.unpack("<Q", data[:8])[0]])
        for name in ("token_embedding.weight", "layers.0.query.weight", "layers.1.down.bias", "norm.weight", "unembedding.weight",
                     "scheme.table", "example.logits"):
            self.assertIn(name, header)
        self.assertEqual(header["layers.0.query.weight"]["dtype"], "F32")
        (self.scratch / "strange.safetensors").write_bytes(data.replace(b'"network 1"', b'"network 7"'))
        study = self.study(HEAD + schemes("learned") + language_model(0))
        self.assertIn("is no network that", self.expect(2, "run", study, "-o", "c.h5", "--network", "strange.safetensors"))

    @unittest.skipUnless(python_with_torch(), "PyTorch is not installed (Debian 12: python3-torch)")
    def test_plain_pytorch_has_the_same_logits(self):
        files = []
        for number, axes in enumerate(("", 'norm = "rms"\ntied = true\nbiases = false\ngelu = "exact"\ndtype = "float64"')):
            names = ("none", "rope", "sinusoidal", "alibi")
            self.train(*names, axes="keep_weights = true\nlearning_rate = 1e-2\n" + axes, steps=60, output=f"{number}.h5")
            for cell in range(len(names)):
                files.append(f"{cell}-{number}.safetensors")
                self.expect(0, "weights", f"{number}.h5", "--cell", cell, "--to", files[-1])
        done = self.in_pytorch(*files)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.count("logits differ by"), len(files))
        data = bytearray((self.scratch / "1-0.safetensors").read_bytes())
        start = 8 + struct.unpack("<Q", data[:8])[0]
        at = start + json.loads(data[8:start])["layers.1.key.weight"]["data_offsets"][0]
        data[at:at + 4] = struct.pack("<f", 3.0)
        (self.scratch / "wrong.safetensors").write_bytes(data)
        done = self.in_pytorch(files[0], "wrong.safetensors")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)

    def in_pytorch(self, *files):
        return subprocess.run([python_with_torch(), SCRIPT, *files], cwd=self.scratch, capture_output=True, text=True)


if __name__ == "__main__":
    unittest.main()
