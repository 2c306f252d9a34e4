# SPDX-License-Identifier: Apache-2.0
"""`poslab import`: every configuration becomes a study that can be planned, its frequencies are those of the model, and
what is no configuration is a sentence."""

import json
import math
import unittest

import h5py
import numpy
from poslab_case import SOURCE, PoslabCase

CONFIGURATIONS = SOURCE / "tests/unit/import/configurations"


def powers(base, width):
    return base ** (-numpy.arange(0, width, 2) / width)


def llama3(w, factor=8, low=1, high=4, length=8192):
    turns = length * w / (2 * math.pi)  # in the original length
    smooth = numpy.clip((turns - low) / (high - low), 0, 1)
    return (1 - smooth) * w / factor + smooth * w


def yarn(base, width, factor, length, fast=32, slow=1, truncate=True):
    def plane(turns):
        return width * math.log(length / (turns * 2 * math.pi)) / (2 * math.log(base))

    first, last = plane(fast), plane(slow)
    if truncate:
        first, last = math.floor(first), math.ceil(last)
    first, last = max(first, 0), min(last, width - 1)
    ramp = numpy.clip((numpy.arange(width // 2) - first) / (last - first), 0, 1)
    w = powers(base, width)
    return w / factor * ramp + w * (1 - ramp)


class Import(PoslabCase):
    def imported(self, name):
        study = f"{name}.toml"
        done = self.poslab("import", str(CONFIGURATIONS / f"{name}.json"), "-o", study)
        self.assertEqual(done.returncode, 0, f"{name}: {done.stderr}")
        return study, done.stdout

    def rates(self, name):
        """Frequencies of the planes that a run of the study measures, by label of the variant."""
        study, _ = self.imported(name)
        done = self.poslab("run", study, "-o", f"{name}.h5", "--only", "clock")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        with h5py.File(self.scratch / f"{name}.h5") as file:
            labels, rates = file["clock/variant"].asstr()[()], file["clock/rate"][()]  # rates: [variant, axis, head, plane]
        found = {label: numpy.sort(rate[0, 0][~numpy.isnan(rate[0, 0])]) for label, rate in zip(labels, rates)}
        return found

    def test_every_configuration_becomes_a_study_that_can_be_planned(self):
        names = sorted(path.stem for path in CONFIGURATIONS.glob("*.json"))
        self.assertGreater(len(names), 45)
        for name in names:
            with self.subTest(name):
                study, text = self.imported(name)
                self.assertIn("keys used", text)
                done = self.poslab("run", study, "--plan")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_json_has_what_the_text_has(self):
        done = self.poslab("import", str(CONFIGURATIONS / "llama-3.1-new.json"), "--json")
        told = json.loads(done.stdout)
        self.assertEqual(told["kinds"][0]["scheme"], "rope")
        self.assertEqual(told["kinds"][0]["parameters"]["base"], 500000)
        self.assertEqual(told["readers_differ"][0], {
            "layers": "", "parameter": "base", "transformers 4": 10000.0, "transformers 5": 500000.0})
        self.assertIn({"key": "rope_parameters.factor", "value": "8.0", "meaning": "factor"}, told["used"])

    def test_what_the_study_does_not_say_comes_with_its_numbers(self):
        sizes = {"hidden_size": 768, "num_attention_heads": 12, "max_position_embeddings": 512}
        for keys, told in (({"model_type": "granite", "attention_multiplier": 0.015625}, ["0.015625", "attention_multiplier"]),
                           ({"model_type": "gpt_neo", "window_size": 256}, ["256", "window_size", "multiplied by 1,"]),
                           ({"model_type": "gpt2", "scale_attn_by_inverse_layer_idx": True}, ["scale_attn_by_inverse_layer_idx"]),
                           ({"model_type": "albert", "embedding_size": 128}, ["128", "embedding_size"])):
            with self.subTest(keys["model_type"]):
                (self.scratch / "limits.json").write_text(json.dumps(sizes | keys))
                limits = json.loads(self.poslab("import", "limits.json", "--json").stdout)["not_expressed"]
                self.assertTrue(all(limit["id"] for limit in limits))
                sentences = "\n".join(limit["sentence"] for limit in limits)
                for word in told:
                    self.assertIn(word, sentences)

    def test_a_narrower_table_is_taken_in_a_study_of_its_width(self):
        (self.scratch / "albert").mkdir()
        (self.scratch / "albert/config.json").write_text(json.dumps({
            "model_type": "albert", "hidden_size": 64, "num_attention_heads": 4, "max_position_embeddings": 8, "embedding_size": 16}))
        table = numpy.random.default_rng(0).normal(size=(8, 16)).astype("<f4")
        name = "albert.embeddings.position_embeddings.weight"
        header = json.dumps({name: {"dtype": "F32", "shape": [8, 16], "data_offsets": [0, table.nbytes]}}).encode()
        checkpoint = self.scratch / "albert/model.safetensors"
        checkpoint.write_bytes(len(header).to_bytes(8, "little") + header + table.tobytes())
        self.assertEqual(self.poslab("import", "albert", "-o", "albert.toml").returncode, 0)
        refused = self.poslab("run", "albert.toml", "-o", "albert.h5", "--weights", "albert")
        self.assertEqual(refused.returncode, 2, refused.stderr)
        self.assertIn("embedding_size", refused.stderr)
        study = (self.scratch / "albert.toml").read_text()
        (self.scratch / "narrow.toml").write_text(study.replace("d_model = 64", "d_model = 16"))
        done = self.poslab("run", "narrow.toml", "-o", "narrow.h5", "--only", "uniqueness", "--weights",
                           f"learned.table={checkpoint}:{name}")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_folder_of_a_model_has_a_configuration(self):
        (self.scratch / "model").mkdir()
        (self.scratch / "model/config.json").write_text((CONFIGURATIONS / "gpt-2.json").read_text())
        self.assertIn("learned(max_length=1024)", self.poslab("import", "model").stdout)

    def test_a_study_is_not_written_over_another(self):
        study, _ = self.imported("gpt-2")
        before = (self.scratch / study).read_bytes()
        done = self.poslab("import", str(CONFIGURATIONS / "bert.json"), "-o", study)
        self.assertEqual(done.returncode, 2)
        self.assertIn("is there already", done.stderr)
        self.assertEqual((self.scratch / study).read_bytes(), before)

    def test_what_is_no_configuration_is_a_sentence(self):
        (self.scratch / "empty.json").write_text("")
        (self.scratch / "list.json").write_text("[1]")
        (self.scratch / "cut.json").write_text('{"model_type": "lla')
        (self.scratch / "part.json").write_text('{"model_type": "llama"}')
        (self.scratch / "nan.json").write_text('{"model_type": "llama", "rope_theta": NaN}')
        (self.scratch / "deep.json").write_text('{"a":' * 50000 + "1" + "}" * 50000)
        (self.scratch / "keys.json").write_text(json.dumps({f"rope_{n}": n for n in range(50000)}))
        with open(self.scratch / "huge.json", "wb") as file:
            file.truncate(3 << 30)
        (self.scratch / "folder").mkdir()
        (self.scratch / "loop").symlink_to("loop")
        for name in ("empty.json", "list.json", "cut.json", "part.json", "nan.json", "deep.json", "keys.json", "huge.json",
                     "folder", "absent.json", "loop", "/dev/null"):
            with self.subTest(name):
                done = self.poslab("import", name)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertEqual(done.stdout, "")
                self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
                self.assertLess(len(done.stderr), 400)

    def test_names_in_a_configuration_reach_neither_terminal_nor_study_unescaped(self):
        hostile = {"model_type": 'x"\n[model]\n\x1b[31m', "hidden_size": 64, "num_attention_heads": 4, "rope_theta": 1e5,
                   'rope_"\n\x1b]0;': 1}
        (self.scratch / "hostile.json").write_text(json.dumps(hostile))
        done = self.poslab("import", "hostile.json", "-o", "hostile.toml")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("\x1b", done.stdout)
        self.assertEqual(self.poslab("run", "hostile.toml", "--plan").returncode, 0)

    def test_frequencies_are_those_of_the_models(self):
        expected = {
            "llama-3.1": {"llama layers": llama3(powers(5e5, 128))},
            "gpt-oss": {"gpt_oss layers": yarn(150000, 64, 32, 4096, truncate=False)},
            "deepseek-v3": {"deepseek_v3 layers": yarn(10000, 64, 40, 4096)},
            "gpt-neox": {"gpt_neox layers": powers(10000, 24)},
            "gemma-3": {"sliding_attention layers": powers(1e4, 128), "full_attention layers": powers(1e6, 128) / 8}}
        for name, by_label in expected.items():
            found = self.rates(name)
            for label, frequencies in by_label.items():
                with self.subTest(f"{name}: {label}"):
                    numpy.testing.assert_allclose(found[label], numpy.sort(frequencies), rtol=1e-12)


if __name__ == "__main__":
    unittest.main()
