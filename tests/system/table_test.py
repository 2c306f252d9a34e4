# SPDX-License-Identifier: Apache-2.0
"""`poslab table` writes what numpy and a reader of ten lines read back, and what other projects' tests are made of."""

import re
import unittest

import h5py
import numpy
from poslab_case import SOURCE, PoslabCase


def recipe():
    """The code that results/schema.md gives to other projects."""
    page = (SOURCE / "results" / "schema.md").read_text(encoding="utf-8")
    return re.search(r"```python\n(import json, numpy\n.*?)```", page, re.DOTALL).group(1)


def rotary(base):
    """Somebody else's rotation of neighbouring channels."""
    def apply(x, positions):
        width = x.shape[-1]
        angles = numpy.outer(positions, base ** (-numpy.arange(0, width, 2) / width))
        out = numpy.empty_like(x)
        out[..., 0::2] = x[..., 0::2] * numpy.cos(angles) - x[..., 1::2] * numpy.sin(angles)
        out[..., 1::2] = x[..., 1::2] * numpy.cos(angles) + x[..., 0::2] * numpy.sin(angles)
        return out
    return apply


class Table(PoslabCase):
    def written(self, name, *words):
        done = self.poslab("table", *words, "-o", name)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.scratch / name, done.stdout

    def arrays(self, path):
        names = {}
        exec(recipe().split("expected =")[0], names)  # its reader alone
        return names["table"](path)

    def test_npy_is_the_first_array(self):
        path, said = self.written("pe.npy", "sinusoidal", "--d-model", "16", "--positions", "0:10")
        array = numpy.load(path, allow_pickle=False)
        self.assertEqual((array.dtype, array.shape), (numpy.dtype("<f8"), (10, 16)))
        self.assertIn("encoding_table in pe.npy", said)
        angles = numpy.outer(numpy.arange(10), 10000.0 ** (-numpy.arange(0, 16, 2) / 16))
        numpy.testing.assert_allclose(array[:, 0::2], numpy.sin(angles), rtol=0, atol=1e-14)

    def test_safetensors_holds_what_hdf5_holds(self):
        for scheme, grid in (("sinusoidal", []), ("rope", []), ("alibi", []), ("swin", ["--grid", "4x6"])):
            with self.subTest(scheme):
                path, _ = self.written(scheme + ".safetensors", scheme, *grid)
                kept = self.arrays(path)
                self.written(scheme + ".h5", scheme, *grid)
                with h5py.File(self.scratch / (scheme + ".h5")) as file:
                    self.assertEqual(set(kept), set(file))
                    for name, array in kept.items():
                        numpy.testing.assert_array_equal(array, file[name][...], name)
                size = int.from_bytes(path.read_bytes()[:8], "little")
                self.assertEqual(size % 8, 0)

    def test_a_library_reads_it_where_there_is_one(self):
        try:
            from safetensors.numpy import load_file
        except ImportError:
            self.skipTest("the module safetensors is not installed")
        path, _ = self.written("rope.safetensors", "rope")
        for name, array in load_file(path).items():
            numpy.testing.assert_array_equal(array, self.arrays(path)[name], name)

    def test_the_recipe_tells_a_right_rotation_from_a_wrong_one(self):
        path, _ = self.written("rope.safetensors", "rope", "--positions", "0:64")
        code = recipe().replace('"rope.safetensors"', repr(str(path)))
        exec(code, {"apply_rotary": rotary(10000.0)})
        with self.assertRaises(AssertionError):
            exec(code, {"apply_rotary": rotary(500000.0)})

    def test_what_is_there_stays(self):
        for name in ("mine.npy", "mine.safetensors"):
            (self.scratch / name).write_bytes(b"mine")
            done = self.poslab("table", "rope", "-o", name)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("remove it", done.stderr)
            self.assertEqual((self.scratch / name).read_bytes(), b"mine")
        none = self.poslab("table", "none", "-o", "none.npy")
        self.assertNotEqual(none.returncode, 0)
        self.assertIn("no array", none.stderr)
        self.assertFalse((self.scratch / "none.npy").exists())


if __name__ == "__main__":
    unittest.main()
