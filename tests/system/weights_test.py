# SPDX-License-Identifier: Apache-2.0
"""--weights: arrays of other people's files and of earlier runs take the place of drawn ones, and what does not fit is
refused before anything runs."""

import json
import struct
import sys
import unittest

import h5py
import numpy as np

from poslab_case import SOURCE, PoslabCase

STUDY = """
format = 1
title = "given weights"
seed = 7
[model]
d_model = 16
heads = 4
[[scheme]]
use = "learned"
[[scheme]]
use = "rope"
[[experiment]]
use = "uniqueness"
[experiment.axes]
length = 8
"""
TABLE = np.random.default_rng(1).normal(size=(8, 16))


def nearest(table):
    distances = np.sqrt(((table[:, None] - table[None]) ** 2).sum(-1))
    return distances[~np.eye(len(table), dtype=bool)].min()


def safetensors(path, arrays):
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, array in arrays.items():
        kind = {"<f8": "F64", "<f4": "F32", "<f2": "F16"}[array.dtype.str]
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [len(data), len(data) + array.nbytes]}
        data += array.tobytes()
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


class WeightsTest(PoslabCase):
    def setUp(self):
        super().setUp()
        self.study(STUDY)
        np.save(self.scratch / "t.npy", TABLE)

    def run_with(self, *weights, code=0, output="w.h5", extra=()):
        words = [word for one in weights for word in ("--weights", one)]
        return self.expect(code, "run", "study.toml", "-o", output, *words, *extra)

    def cells_of(self, scheme="learned", output="w.h5"):
        """min_distance, message, id of each cell of a scheme."""
        with h5py.File(self.scratch / output) as file:
            group = file["uniqueness"]
            rows = [i for i, name in enumerate(group["scheme"].asstr()[:]) if name == scheme]
            ids = file["id"].asstr()[:]
            return [(group["min_distance"][i], group["message"].asstr()[i], ids[group["cell"][i]]) for i in rows]

    def only_cell(self, **options):
        cells = self.cells_of(**options)
        self.assertEqual(len(cells), 1)  # nothing is drawn any more
        return cells[0]

    def test_an_array_of_each_format_is_what_is_measured(self):
        np.save(self.scratch / "fortran.npy", np.asfortranarray(TABLE))
        np.save(self.scratch / "half.npy", TABLE.astype("<f2"))
        safetensors(self.scratch / "m.safetensors", {"x": TABLE[0], "wpe.weight": TABLE.astype("<f4")})
        safetensors(self.scratch / "one.safetensors", {"only": TABLE})
        with h5py.File(self.scratch / "a.h5", "w") as file:
            file["layers/wpe"] = TABLE
            file.create_dataset("packed", data=TABLE.astype(">f4"), chunks=(4, 16), compression="gzip", shuffle=True)
        for source, table in {"t.npy": TABLE, "fortran.npy": TABLE, "half.npy": TABLE.astype("<f2").astype(float),
                              "m.safetensors:wpe.weight": TABLE.astype("<f4").astype(float), "one.safetensors": TABLE,
                              "a.h5:layers/wpe": TABLE, "a.h5:packed": TABLE.astype("<f4").astype(float)}.items():
            with self.subTest(source):
                self.run_with(f"learned.table={source}")
                distance, message, _ = self.only_cell()
                self.assertAlmostEqual(distance, nearest(table), delta=1e-12)
                self.assertIn("given weights: table from file ", message)
        self.assertEqual([message for _, message, _ in self.cells_of("rope")], [""])

    def test_the_table_says_that_weights_were_given(self):
        output = self.run_with("learned.table=t.npy")
        self.assertIn("learned †", output)
        self.assertIn("† given weights: table from file", output)
        self.assertNotIn("untrained", output)
        self.assertIn("learned †", self.expect(0, "summary", "w.h5"))
        self.assertIn("† given weights", self.expect(0, "summary", "w.h5", "--verbose"))

    def test_the_identity_is_that_of_the_numbers_and_not_of_the_path(self):
        self.run_with("learned.table=t.npy")
        first = self.only_cell()
        (self.scratch / "elsewhere.npy").write_bytes((self.scratch / "t.npy").read_bytes())
        self.assertIn("2 of 2 cells are kept", self.run_with("learned.table=elsewhere.npy"))
        self.assertEqual(self.only_cell(), first)
        changed = TABLE.copy()
        changed[3, 4] += 1e-9
        np.save(self.scratch / "t.npy", changed)
        self.assertIn("1 of 2 cells is kept", self.run_with("learned.table=t.npy"))
        self.assertNotEqual(self.only_cell()[2], first[2])

    def test_provenance_names_the_file_and_its_hash(self):
        self.run_with("learned.table=t.npy")
        with h5py.File(self.scratch / "w.h5") as file:
            supply = json.loads(file["provenance/supply"].asstr()[()])
        self.assertEqual(supply[0]["path"], "t.npy")
        self.assertEqual(len(supply[0]["sha256"]), 64)

    def test_workers_threads_and_this_process_measure_the_same(self):
        self.run_with("learned.table=t.npy")
        for number, options in enumerate((["--in-process"], ["--threads=4", "--workers=2"])):
            self.run_with("learned.table=t.npy", output=f"{number}.h5", extra=options)
            self.expect(0, "compare", "--exact", "w.h5", f"{number}.h5")

    def test_what_does_not_fit_is_refused_before_anything_runs(self):
        np.save(self.scratch / "long.npy", np.vstack([TABLE, TABLE]))
        np.save(self.scratch / "turned.npy", TABLE.T)
        np.save(self.scratch / "flat.npy", TABLE[0])
        np.save(self.scratch / "whole.npy", np.arange(128).reshape(8, 16))
        spoilt = TABLE.copy()
        spoilt[2, 3] = np.nan
        np.save(self.scratch / "nan.npy", spoilt)
        with open(self.scratch / "endless.npy", "wb") as endless:  # hours, if it were hashed before it is looked at
            endless.truncate(1 << 42)
        (self.scratch / "cut.npy").write_bytes((self.scratch / "t.npy").read_bytes()[:-1])
        safetensors(self.scratch / "m.safetensors", {"wpe.weight": TABLE, "wte.weight": TABLE})
        with h5py.File(self.scratch / "a.h5", "w") as file:
            file["g/wpe"] = TABLE
            file["names"] = h5py.SoftLink("/g/wpe")
            file["far"] = h5py.ExternalLink("b.h5", "/x")
        (self.scratch / "broken.h5").write_bytes((self.scratch / "a.h5").read_bytes()[:600])
        for source, words in {
            "learned.table=turned.npy": "wants its weight table as 8 x 16, and what was given is 16 x 8; is it transposed?",
            "learned.table=long.npy": "wants its weight table as 8 x 16, and what was given is 16 x 16; choose",
            "learned.table=flat.npy": "what was given is 16",
            "learned.table=nan.npy": "nan.npy: its array is nan at number 35",
            "learned.table=whole.npy": "<f2, <f4 and <f8 are read",
            "learned.table=cut.npy": "1023 bytes after its header",
            "learned.tabel=t.npy": 'has no weight "tabel"; did you mean "table"?',
            "leraned.table=t.npy": "no cell that could be performed uses that scheme",
            "rope.table=t.npy": "it has none at all",
            "learned.table=t.npy:x": "holds one array, which has no name",
            "learned.table=m.safetensors:wpe.wieght": 'did you mean "wpe.weight"?',
            "learned.table=m.safetensors": 'it has "wpe.weight" and "wte.weight"',
            "learned.table=a.h5:g/wep": 'did you mean "wpe"?',
            "learned.table=a.h5:names": "is a link to somewhere else",
            "learned.table=a.h5:far": "is a link to somewhere else",
            "learned.table=broken.h5:g/wpe": "broken.h5",
            "learned.table=study.toml": "is no .npy, .npz, .safetensors or HDF5 file",
            "learned.table=endless.npy": "is no .npy, .npz, .safetensors or HDF5 file",
            "endless.npy": "file signature not found",
            "learned.table=/dev/null": "not a regular file",
            "learned.table=.": "is a directory",
            "learned.table=none.npy": "none.npy",
            "learned=t.npy": "is no SCHEME.WEIGHT",
            "a.h5": "no results file of poslab",
            "t.npy": "poslab",
        }.items():
            with self.subTest(source):
                self.assertIn(words, self.run_with(source, code=2))
                self.assertFalse((self.scratch / "w.h5").exists())
        self.assertIn("given already", self.run_with("learned.table=t.npy", "learned.table=t.npy", code=2))

    def model(self, folder, configuration, arrays, shards=1):
        """The folder of a published model."""
        (self.scratch / folder).mkdir()
        (self.scratch / folder / "config.json").write_text(json.dumps(configuration))
        if shards == 1:
            return safetensors(self.scratch / folder / "model.safetensors", arrays)
        files = {name: f"model-{number % shards}.safetensors" for number, name in enumerate(arrays)}
        for file in set(files.values()):
            safetensors(self.scratch / folder / file, {name: arrays[name] for name in arrays if files[name] == file})
        (self.scratch / folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": files}))

    def test_the_folder_of_a_model_is_enough(self):
        gpt = {"model_type": "gpt2", "n_embd": 16, "n_head": 4, "n_layer": 2, "n_positions": 8}
        others = {"transformer.wte.weight": TABLE[:4], "transformer.h.0.attn.xwpe.weight": TABLE[:2]}
        self.model("gpt", gpt, others | {"transformer.wpe.weight": TABLE.astype("<f4")})
        self.model("sharded", gpt, others | {"wpe.weight": TABLE.astype("<f4")}, shards=2)
        for folder in ("gpt", "sharded"):
            with self.subTest(folder):
                self.run_with(folder, extra=["--fresh"])
                distance, message, _ = self.only_cell()
                self.assertAlmostEqual(distance, nearest(TABLE.astype("<f4").astype(float)), delta=1e-12)
                self.assertIn("wpe.weight", message)
        with h5py.File(self.scratch / "w.h5") as file:
            supply = json.loads(file["provenance/supply"].asstr()[()])
        self.assertRegex(supply[0]["weights"], r"^learned\.table=sharded/model-\d\.safetensors:wpe\.weight$")

    def test_a_table_of_images_loses_the_axis_of_its_batch(self):
        vit = {"model_type": "vit", "hidden_size": 16, "num_attention_heads": 4, "image_size": [14, 2], "patch_size": 2}
        self.model("vit", vit, {"vit.embeddings.position_embeddings": TABLE[None]})
        self.run_with("vit")
        self.assertAlmostEqual(self.only_cell()[0], nearest(TABLE), delta=1e-12)

    def test_each_layer_of_a_checkpoint_has_its_own(self):
        self.study("""
format = 1
title = "layers"
[model]
d_model = 16
heads = 4
[[scheme]]
use = "bert-relative"
set = { max_length = 8 }
[[experiment]]
use = "relative-shift"
axes = { length = 8 }
""")
        bert = {"model_type": "bert", "hidden_size": 16, "num_attention_heads": 4, "max_position_embeddings": 8,
                "position_embedding_type": "relative_key"}
        vectors = np.random.default_rng(3).normal(size=(2, 15, 4))
        self.model("bert", bert, {f"bert.encoder.layer.{layer}.attention.self.distance_embedding.weight": vectors[layer]
                                  for layer in (0, 1)})
        np.save(self.scratch / "0.npy", vectors[0])
        np.save(self.scratch / "1.npy", vectors[1])
        self.run_with("bert", output="a.h5")
        self.run_with("bert-relative.distance_embedding/0=0.npy", "bert-relative.distance_embedding/1=1.npy", output="b.h5")
        with h5py.File(self.scratch / "a.h5") as a, h5py.File(self.scratch / "b.h5") as b:
            np.testing.assert_array_equal(a["relative-shift/content_error"][()], b["relative-shift/content_error"][()])

    def test_a_folder_that_does_not_say_its_weights_is_refused(self):
        t5 = {"model_type": "t5", "d_model": 16, "num_heads": 4, "d_kv": 4, "num_layers": 1}
        name = "{}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
        self.model("t5", t5, {name.format(side): TABLE for side in ("encoder", "decoder")})
        gpt = {"model_type": "gpt2", "n_embd": 16, "n_head": 4, "n_layer": 2, "n_positions": 8}
        self.model("other", gpt, {"something.else": TABLE})
        self.model("rotary", {"model_type": "llama", "hidden_size": 16, "num_attention_heads": 4}, {"x": TABLE})
        for folder, files in {"bare": {}, "pickled": {"pytorch_model.bin": b"\x80\x02"}, "list": {
                "model.safetensors.index.json": b"[]"}, "away": {"model.safetensors.index.json":
                    json.dumps({"weight_map": {"wpe.weight": "../gpt/model.safetensors"}}).encode()}, "cut": {
                        "model.safetensors": b"\xff\0\0\0\0\0\0\0{"}}.items():
            (self.scratch / folder).mkdir()
            (self.scratch / folder / "config.json").write_text(json.dumps(gpt))
            for file, contents in files.items():
                (self.scratch / folder / file).write_bytes(contents)
        (self.scratch / "empty").mkdir()
        for folder, words in {
            "t5": "choose one: --weights t5.table=t5/model.safetensors:",
            "other": "has no array in its checkpoint that is known to be a weight of learned",
            "rotary": "is a model of rope, whose weights are none",
            "bare": "has neither model.safetensors nor",
            "pickled": "pytorch_model.bin is a pickle",
            "list": "is no index of a checkpoint",
            "away": "is no index of a checkpoint",
            "cut": "model.safetensors",
            "empty": "config.json",
        }.items():
            with self.subTest(folder):
                self.assertIn(words, self.run_with(folder, code=2))

    def earlier_run(self, repeats=2, **attributes):
        """The results of a run, with what a training would have kept."""
        self.expect(0, "run", "study.toml", "-o", "trained.h5", "--fresh")
        with h5py.File(self.scratch / "trained.h5", "r+") as file:
            parameters = json.loads(file["uniqueness/parameters"].asstr()[0])
            for repeat in range(repeats):
                group = file.create_group(f"trained/cell_{repeat}")
                facts = {"experiment": "language-model", "scheme": "learned", "variant": "learned", "axes": "{}",
                         "parameters": file["uniqueness/parameters"].asstr()[0], "title": "copy", "id": "x"} | attributes
                for name, text in facts.items():
                    group.attrs[name] = text
                for name, number in {"d_model": 16, "heads": 4, "repeat": repeat, "steps": 2000, "cell": repeat}.items():
                    group.attrs[name] = number
                group["scheme.table"] = TABLE + repeat * np.eye(8, 16)
                group["network.head"] = TABLE.astype("<f4")
        return parameters

    def test_an_earlier_run_gives_each_repeat_its_weights(self):
        self.earlier_run()
        output = self.run_with("trained.h5")
        self.assertIn("† trained on copy, 2000 steps", output)
        cells = self.cells_of()
        self.assertEqual(len(cells), 2)
        for repeat, (distance, message, _) in enumerate(cells):
            self.assertAlmostEqual(distance, nearest(TABLE + repeat * np.eye(8, 16)), delta=1e-12)
            self.assertEqual(message, "trained on copy, 2000 steps")
        with h5py.File(self.scratch / "w.h5") as file:
            self.assertEqual(set(file["answers/trainings/note"].asstr()[:]), {"trained on copy, 2000 steps"})

    def test_python_and_reports_have_them(self):
        self.earlier_run()
        sys.path.insert(0, str(SOURCE / "results" / "python"))
        import poslab
        run = poslab.open(self.scratch / "trained.h5")
        self.assertEqual(run.experiments, ["uniqueness"])
        self.assertEqual(list(run.kept.arrays.iloc[0]), ["network.head", "scheme.table"])
        self.assertEqual(run.kept.steps.iloc[0], 2000)
        np.testing.assert_array_equal(run.trained(0)["scheme.table"], TABLE)
        self.assertEqual(run.trained(0).attrs["title"], "copy")
        with self.assertRaisesRegex(LookupError, "kept no arrays; those that did: 0"):
            run.trained(7)
        self.run_with("trained.h5")
        for ending, sign in {"md": "| `learned` † |", "tex": r"learned\textsuperscript{\dag}"}.items():
            self.expect(0, "report", "w.h5", "-o", f"page.{ending}")
            text = (self.scratch / f"page.{ending}").read_text()
            self.assertIn(sign, text)
            self.assertIn("trained on copy, 2000 steps; weights from trained.h5 (file ", text)
        self.expect(0, "report", "w.h5", "-o", "page.pdf")

    def test_an_earlier_run_must_be_of_a_variant_that_is_asked(self):
        self.earlier_run(scheme="shaw")
        self.assertIn("is of a variant that it holds, which are learned (d_model 16, 4 heads)",
                      self.run_with("trained.h5", code=2))
        self.expect(0, "run", "study.toml", "-o", "trained.h5", "--fresh")
        self.assertIn("keeps no trained weights of any scheme", self.run_with("trained.h5", code=2))

    def test_every_repeat_is_looked_at_before_anything_runs(self):
        self.earlier_run()
        with h5py.File(self.scratch / "trained.h5", "r+") as file:
            file["trained/cell_1/scheme.table"][2, 3] = np.inf
        self.assertIn("learned table is inf at number 35", self.run_with("trained.h5", code=2))
        self.earlier_run()
        with h5py.File(self.scratch / "trained.h5", "r+") as file:
            del file["trained/cell_1/scheme.table"]
            file["trained/cell_1/scheme.table"] = TABLE[:7]
        self.assertIn("other arrays or shapes in repeat 1", self.run_with("trained.h5", code=2))
        self.earlier_run()
        with h5py.File(self.scratch / "trained.h5", "r+") as file:
            file["trained/cell_1"].attrs["repeat"] = 2
        self.assertIn("no weights of repeat 1", self.run_with("trained.h5", code=2))
        self.earlier_run()
        with h5py.File(self.scratch / "trained.h5", "r+") as file:
            file["trained/cell_1"].attrs["repeat"] = 0
        self.assertIn("several weights of learned, repeat 0", self.run_with("trained.h5", code=2))

    def two_trainings(self, scheme="learned"):
        """A run in which two experiments have trained; the second has half of the table."""
        self.earlier_run(repeats=1)
        with h5py.File(self.scratch / "trained.h5", "r+") as file:
            file.copy("trained/cell_0", "trained/cell_1")
            file["trained/cell_1/scheme.table"][...] = TABLE / 2
            for name, value in {"experiment": "length-generalisation", "title": "sort", "scheme": scheme, "variant": scheme, "cell": 1}.items():
                file["trained/cell_1"].attrs[name] = value

    def test_one_of_two_trainings_can_be_chosen(self):
        self.two_trainings()
        said = self.run_with("trained.h5", code=2)
        for fact in ("several weights of learned", "language-model", "FILE:length-generalisation"):
            self.assertIn(fact, said)
        for experiment, title, table in (("language-model", "copy", TABLE), ("length-generalisation", "sort", TABLE / 2)):
            self.run_with(f"trained.h5:{experiment}", extra=["--fresh"])
            distance, message, _ = self.only_cell()
            self.assertAlmostEqual(distance, nearest(table), delta=1e-12)
            self.assertEqual(message, f"trained on {title}, 2000 steps")
        said = self.run_with("trained.h5:uniqueness", code=2)
        for fact in ("uniqueness", "language-model and length-generalisation"):
            self.assertIn(fact, said)

    def test_what_the_study_does_not_name_is_not_asked_for(self):
        self.two_trainings()
        with h5py.File(self.scratch / "trained.h5", "r+") as file:
            for cell in (2, 3):  # two of another variant, which nobody asks for, and one that is no number
                file.copy("trained/cell_1", f"trained/cell_{cell}")
                for name in ("scheme", "variant"):
                    file[f"trained/cell_{cell}"].attrs[name] = "shaw"
                file[f"trained/cell_{cell}/scheme.table"][0, 0] = np.nan
        self.run_with("trained.h5:language-model")
        with h5py.File(self.scratch / "trained.h5", "r+") as file:
            del file["trained/cell_1"]
        self.run_with("trained.h5", extra=["--fresh"])
        self.assertEqual(self.only_cell()[1], "trained on copy, 2000 steps")

    def test_the_table_and_the_report_name_the_file(self):
        said = self.run_with("learned.table=t.npy", output="named.h5")
        self.assertIn("t.npy", said.split("†")[2])
        self.assertIn("t.npy", self.expect(0, "summary", "named.h5").split("†")[2])
        self.expect(0, "report", "named.h5")
        self.assertIn("t.npy", (self.scratch / "named.md").read_text())

    def test_shards_with_weights_merge_to_the_whole(self):
        self.earlier_run()
        self.run_with("trained.h5")
        for shard in (1, 2):
            self.run_with("trained.h5", output="s.h5", extra=[f"--shard={shard}/2"])
        self.expect(0, "merge", "-o", "m.h5", "s.1-of-2.h5", "s.2-of-2.h5")
        self.expect(0, "compare", "--exact", "w.h5", "m.h5")

    def test_jobs_get_them_by_absolute_paths(self):
        output = self.expect(0, "submit", "study.toml", "--tasks", "2", "--weights", "learned.table=t.npy", "--dry-run")
        self.assertIn(f"--weights=learned.table={self.scratch}/t.npy", output)
        self.assertIn("has no weight", self.expect(2, "submit", "study.toml", "--tasks", "2", "--dry-run", "--weights",
                                                   "learned.tabel=t.npy"))

    def test_a_plan_says_the_same(self):
        self.assertIn("wants its weight", self.run_with("learned.table=t.npy", code=2, extra=["--plan", "--axis", "length=9"]))
        self.assertIn("2 cells", self.run_with("learned.table=t.npy", extra=["--plan"]))

    def test_data_of_an_unknown_name_is_refused(self):
        self.assertIn("--data txet=FILE: no experiment needs a file",
                      self.run_with(code=2, extra=["--data", "txet=study.toml"]))
        self.assertIn("--data wants name=value", self.run_with(code=2, extra=["--data", "study.toml"]))


if __name__ == "__main__":
    unittest.main()
