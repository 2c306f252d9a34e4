# SPDX-License-Identifier: Apache-2.0
"""`poslab identify`: dumps as numpy writes them, exit codes, and files that are no dumps."""

import json
import os
import re
import sys
import unittest
import zipfile

import h5py
import numpy
from poslab_case import SOURCE, PoslabCase

os.environ["POSLAB_PYTHON"] = sys.executable

# What a plugin or a parameter is called, too: in core/identify these are names of arrays in dumps, and kinds of them.
NAMES_OF_ARRAYS = {"alibi", "frequencies", "learned", "logits", "slopes", "theta"}

SAWTOOTH = """
import numpy, poslab

@poslab.define(id="sawtooth")
class Sawtooth:
    teeth = poslab.integer(5, at_least=1{usual})

    def encode(self, positions, d_model):
        return positions[:, None] % self.teeth * (1 + numpy.arange(d_model))
"""


def rotary(base, count=300, width=32):
    """Cosines and sines in float32, as models make them."""
    exponents = numpy.arange(0, width, 2, dtype="f4") / numpy.float32(width)
    frequencies = (1.0 / (numpy.float32(base) ** exponents)).astype("f4")
    angles = numpy.outer(numpy.arange(count, dtype="f4"), frequencies)
    twice = numpy.concatenate([angles, angles], axis=1)
    return numpy.cos(twice), numpy.sin(twice)


class Identify(PoslabCase):
    def dump(self, name, **arrays):
        numpy.savez(self.scratch / name, **arrays)
        return name

    def test_names_scheme_parameters_and_precision(self):
        cosines, sines = rotary(5e5)
        numpy.savez_compressed(self.scratch / "rotary.npz", cos=cosines, sin=sines)
        done = self.poslab("identify", "rotary.npz")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("rope(base=500000), worked out in float32", done.stdout)
        self.assertIn("dump a query before and after", done.stdout)
        found = json.loads(self.poslab("identify", "rotary.npz", "--json").stdout)
        self.assertEqual(found["named"]["scheme"], "rope")
        self.assertEqual(found["named"]["parameters"], {"base": 500000.0})
        self.assertLessEqual(found["named"]["largest_difference"], found["named"]["allowed_there"])

    def test_a_scheme_from_outside_is_found_at_its_usual_numbers(self):
        self.dump("table.npz", pe=numpy.arange(300.0)[:, None] % 37 * (1 + numpy.arange(8)))
        for usual, code in ((", usual=[12, 37]", 0), ("", 1)):
            (self.scratch / "sawtooth.py").write_text(SAWTOOTH.format(usual=usual))
            done = self.poslab("identify", "table.npz", "--plugins", ".", "--json")
            self.assertEqual(done.returncode, code, done.stderr)
            if code == 0:
                named = json.loads(done.stdout)["named"]
                self.assertEqual((named["scheme"], named["parameters"]), ("sawtooth", {"teeth": 37}))
        (self.scratch / "sawtooth.py").write_text(SAWTOOTH.format(usual=", usual=[12, 0]"))
        self.assertIn("usual number outside its range", self.expect(1, "check", "sawtooth.py", "--only", "table"))

    def test_describe_says_what_is_usual(self):
        told = {each["name"]: each for each in json.loads(self.expect(0, "describe", "rope", "--json"))["parameters"]}
        self.assertEqual(told["base"]["usual"][:3], [1e4, 5e5, 1e6])
        self.assertEqual((told["base"]["role"], told["style"]["role"], told["scaling"]["role"]), ("base", "pairing", "none"))

    def test_core_identify_knows_no_plugin_and_no_parameter_by_name(self):
        schemes = json.loads(self.expect(0, "list", "schemes", "--json"))["schemes"]
        names = {each["id"] for each in schemes} | {parameter["name"] for each in schemes for parameter in each["parameters"]}
        self.assertLess({"rope", "attention_factor", "alibi_bias_max"}, names)
        used = set()
        for file in (SOURCE / "core/identify").rglob("*.?pp"):
            lines = [line.split("//")[0] for line in file.read_text().splitlines() if not line.startswith("#include")]
            used |= {text for line in lines for text in re.findall(r'"([^"]*)"', line)}
        self.assertEqual(used & names - NAMES_OF_ARRAYS, set())
        self.assertLessEqual(NAMES_OF_ARRAYS, used)

    def test_json_has_ids_and_numbers_of_what_the_text_says(self):
        cosines, sines = rotary(1e4)
        self.dump("later.npz", cos=cosines[1:], sin=sines[1:])
        self.assertIn("positions are off by 1", self.poslab("identify", "later.npz").stdout)
        slip = json.loads(self.poslab("identify", "later.npz", "--json").stdout)["slip"]
        self.assertEqual((slip["id"], slip["amount"], slip["sentence"]), ("off-by-one", 1, "positions are off by 1"))
        precision = slip["of"]["precision"]
        self.assertEqual((precision["id"], precision["stored"], precision["sentence"]), ("float32", "float32", "worked out in float32"))
        self.dump("rotary.npz", cos=cosines, sin=sines)
        text = self.poslab("identify", "rotary.npz").stdout
        limits = json.loads(self.poslab("identify", "rotary.npz", "--json").stdout)["says_nothing_of"]
        self.assertEqual([limit["id"] for limit in limits], ["pairing"])
        self.assertIn(limits[0]["sentence"], text)
        slopes, back = 2.0 ** -numpy.arange(1, 9)[:, None, None], numpy.subtract.outer(numpy.arange(9), numpy.arange(9))
        self.dump("masked.npz", bias=numpy.where(back >= 0, -slopes * back, -65504))
        limits = json.loads(self.poslab("identify", "masked.npz", "--json").stdout)["says_nothing_of"]
        self.assertEqual([limit["numbers"] for limit in limits if limit["id"] == "masked"], [8 * 9 * 8 // 2])

    def test_one_array_of_npy_and_of_hdf5(self):
        frequencies = 10000.0 ** (-numpy.arange(0, 64, 2) / 64)
        numpy.save(self.scratch / "anything.npy", frequencies)
        done = self.poslab("identify", "anything.npy", "--as", "frequencies")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("rope, worked out in float64", done.stdout)
        with h5py.File(self.scratch / "dump.h5", "w") as file:
            file["model/inv_freq"] = frequencies
        self.assertIn("rope, worked out in float64", self.poslab("identify", "dump.h5").stdout)

    def test_expect_is_a_test_for_others(self):
        cosines, sines = rotary(1e4)
        self.dump("rotary.npz", cos=cosines, sin=sines)
        self.assertEqual(self.poslab("identify", "rotary.npz", "--expect", "rope").returncode, 0)
        self.assertEqual(self.poslab("identify", "rotary.npz", "--expect", "rope(base=10000)").returncode, 0)
        other = self.poslab("identify", "rotary.npz", "--expect", "rope(base=500000, scaling=llama3, factor=8)")
        self.assertEqual(other.returncode, 1)
        self.assertIn("expected was another", other.stdout)
        for sections in ("[8,4,4]", "[8, 4, 4]"):  # the second as import writes it
            text = self.poslab("identify", "rotary.npz", "--expect", f"m-rope(base=10000, sections={sections})")
            self.assertEqual(text.returncode, 0, text.stdout + text.stderr)
        wrong = self.poslab("identify", "rotary.npz", "--expect", "rope(bsae=3)")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("base", wrong.stderr)

    def test_expected_is_not_what_only_another_reading_gives(self):
        heads, length, width = 3, 12, 16
        query = numpy.random.default_rng(1).normal(size=(1, heads, length, width)).astype("f4")
        angles = numpy.outer(numpy.arange(heads), 1e4 ** (-numpy.arange(0, width, 2) / width))[None, :, None]
        first, second = query[..., : width // 2], query[..., width // 2:]
        cosines, sines = numpy.cos(angles), numpy.sin(angles)  # of the head, where the position is meant
        turned = numpy.concatenate([first * cosines - second * sines, second * cosines + first * sines], axis=3).astype("f4")
        self.dump("along-heads.npz", q=query, q_rot=turned)
        expected = "rope(style=half-split)"
        done = self.poslab("identify", "along-heads.npz", "--expect", expected)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("read as [B, N, H, K]: 12 heads of 3 positions", done.stdout)
        self.assertIn("and it is so if positions come before heads", done.stdout)
        settled = self.poslab("identify", "along-heads.npz", "--positions", "0:3", "--expect", expected)
        self.assertEqual(settled.returncode, 0, settled.stdout + settled.stderr)
        wrong = self.poslab("identify", "along-heads.npz", "--positions", "0:5")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("5 positions were asked for", wrong.stderr)

    def test_what_is_expected_and_refused_says_why(self):
        cosines, sines = rotary(1e4, count=20)
        self.dump("rotary.npz", cos=cosines, sin=sines)
        refused = self.poslab("identify", "rotary.npz", "--expect", "rope(scaling=yarn)")
        self.assertEqual(refused.returncode, 1, refused.stdout + refused.stderr)
        self.assertRegex(refused.stdout, r"rope\(scaling=yarn\), which cannot be compared: .*factor")
        said = json.loads(self.poslab("identify", "rotary.npz", "--json", "--expect", "rope(scaling=yarn)").stdout)
        self.assertFalse(said["expected"]["as_expected"])
        self.assertIn("factor", said["expected"]["refused"])
        twice = self.poslab("identify", "rotary.npz", "--expect", "rope(base=10000, base=500000)")
        self.assertEqual(twice.returncode, 2)
        self.assertIn("base is given twice", twice.stderr)

    def test_a_bias_of_offsets_and_its_mask(self):
        numbers = numpy.random.default_rng(4).normal(size=(4, 24))
        back = numpy.maximum(numpy.subtract.outer(numpy.arange(24), numpy.arange(24)), 0)
        self.dump("offsets.npz", bias=numbers[:, back])
        done = self.poslab("identify", "offsets.npz")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("a number for each offset and head", done.stdout)
        said = json.loads(self.poslab("identify", "offsets.npz", "--json").stdout)
        self.assertEqual((said["verdict"], said["named"]), ("offsets", None))
        slopes = 2.0 ** -numpy.arange(1, 9)[:, None, None]
        self.dump("masked.npz", bias=numpy.where(back > 0, -slopes * back, -65504) + 65504 * numpy.eye(24))
        masked = self.poslab("identify", "masked.npz", "--expect", "alibi")
        self.assertEqual(masked.returncode, 0, masked.stdout + masked.stderr)
        self.assertIn(f"{8 * 23 * 24 // 2} numbers were taken for a mask and left out", masked.stdout)
        self.dump("nothing.npz", bias=numpy.full((8, 8, 8), -1e9))
        self.assertEqual(self.poslab("identify", "nothing.npz", "--expect", "alibi").returncode, 2)

    def test_the_order_of_arrays_counts_where_their_author_chose_it(self):
        before = numpy.random.default_rng(2).normal(size=(2, 12, 16)).astype("f4")
        angles = numpy.outer(numpy.arange(12), 1e4 ** (-numpy.arange(0, 16, 2) / 16))
        first, second = before[..., :8], before[..., 8:]
        after = numpy.concatenate([first * numpy.cos(angles) - second * numpy.sin(angles),
                                   second * numpy.cos(angles) + first * numpy.sin(angles)], axis=2).astype("f4")
        self.dump("chosen.npz", pre=before, post=after)
        chosen = self.poslab("identify", "chosen.npz", "--as", "rotated", "--expect", "rope(style=half-split)")
        self.assertEqual(chosen.returncode, 0, chosen.stdout + chosen.stderr)
        half = before.nbytes  # those of .safetensors lie in order of their names
        header = json.dumps({name: {"dtype": "F32", "shape": before.shape, "data_offsets": [at, at + half]}
                             for name, at in (("post", 0), ("pre", half))}).encode()
        (self.scratch / "sorted.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + after.tobytes() + before.tobytes())
        with h5py.File(self.scratch / "sorted.h5", "w") as file:
            file["pre"], file["post"] = before, after
        for name in ("sorted.safetensors", "sorted.h5"):
            with self.subTest(name):
                refused = self.poslab("identify", name, "--as", "rotated")
                self.assertEqual(refused.returncode, 2, refused.stdout + refused.stderr)
                self.assertIn("--as NAME=before --as NAME=after", refused.stderr)
                said = self.poslab("identify", name, "--as", "pre=before", "--as", "post=after", "--expect", "rope(style=half-split)")
                self.assertEqual(said.returncode, 0, said.stdout + said.stderr)

    def test_what_others_fit_as_well_is_said_of_what_was_expected(self):
        query = numpy.random.default_rng(3).normal(size=(2, 8, 64)).astype("f2")
        angles = numpy.outer(numpy.arange(8), 1e6 ** (-numpy.arange(0, 64, 2) / 64))
        first, second = query[..., :32].astype("f8"), query[..., 32:].astype("f8")
        turned = numpy.concatenate([first * numpy.cos(angles) - second * numpy.sin(angles),
                                    second * numpy.cos(angles) + first * numpy.sin(angles)], axis=2).astype("f2")
        self.dump("near.npz", q=query, q_rot=turned)
        done = self.poslab("identify", "near.npz", "--expect", "rope(base=1000000, style=half-split)")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("as far as this dump tells: others fit as well", done.stdout)
        said = json.loads(self.poslab("identify", "near.npz", "--json", "--expect", "rope(base=1000000, style=half-split)").stdout)
        self.assertEqual((said["verdict"], said["expected"]["as_expected"], said["expected"]["others_fit_too"]), ("several", True, True))

    def test_expected_is_not_what_other_keys_after_the_query_hide(self):
        offsets = numpy.subtract.outer(-numpy.arange(6), -numpy.arange(6))  # key minus query
        self.dump("causal.npz", bias=2.0 ** -numpy.arange(2, 10, 2)[:, None, None] * offsets)
        done = self.poslab("identify", "causal.npz", "--expect", "alibi(form=symmetric)")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("of keys before the query alone", done.stdout)

    def test_nothing_fits_noise(self):
        noise = numpy.random.default_rng(1).normal(size=(2, 50, 16)).astype("f4")
        self.dump("noise.npz", cos=noise[0], sin=noise[1])
        done = self.poslab("identify", "noise.npz")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("nothing fits", done.stdout)

    def test_what_is_no_dump_is_refused_in_a_sentence(self):
        cosines, sines = rotary(1e4, count=20)
        self.dump("good.npz", cos=cosines, sin=sines)
        whole = (self.scratch / "good.npz").read_bytes()
        (self.scratch / "cut.npz").write_bytes(whole[:-100])
        (self.scratch / "empty.npy").write_bytes(b"")
        (self.scratch / "text.npy").write_text("no numbers")
        (self.scratch / "model.pkl").write_bytes(b"\x80\x04\x95\x01.")
        numpy.save(self.scratch / "none.npy", numpy.zeros((0, 4)))
        numpy.save(self.scratch / "nan.npy", numpy.full((4, 4), numpy.nan))
        with zipfile.ZipFile(self.scratch / "model.pt", "w") as archive:
            archive.writestr("archive/data.pkl", b"\x80\x02.")
        self.dump("shapes.npz", cos=cosines, sin=sines[:10])
        self.dump("others.npz", a=cosines, b=sines)
        for name, words in {"cut.npz": "zip archive", "empty.npy": "is no .npy", "text.npy": "is no .npy",
                            "model.pkl": "pickle", "none.npy": "no numbers", "nan.npy": "NaN", "model.pt": "torch",
                            "shapes.npz": "[20, 32]", "others.npz": "--as", "missing.npy": "missing.npy",
                            ".": "directory"}.items():
            with self.subTest(name):
                done = self.poslab("identify", name)
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
