# SPDX-License-Identifier: Apache-2.0
"""`poslab identify`: dumps as numpy writes them, exit codes, and files that are no dumps."""

import json
import unittest
import zipfile

import h5py
import numpy
from poslab_case import PoslabCase


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
