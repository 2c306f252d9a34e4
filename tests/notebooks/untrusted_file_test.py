# SPDX-License-Identifier: Apache-2.0
"""Files that poslab.open refuses: damaged, of other programs, or leading to other files."""

import os
import shutil
import tempfile
import unittest
import zlib
from pathlib import Path

import h5py

from samples import SAMPLES  # and where poslab lies

import poslab


class BadFiles(unittest.TestCase):
    def test_a_missing_file(self):
        with self.assertRaises(FileNotFoundError):
            poslab.open(SAMPLES / "nowhere.h5")

    def test_what_is_no_regular_file_is_named_and_not_opened(self):
        with tempfile.TemporaryDirectory() as folder:
            fifo, link = Path(folder) / "fifo.h5", Path(folder) / "link.h5"
            os.mkfifo(fifo)  # opening it would wait for ever
            link.symlink_to(fifo)
            for path, kind in ((fifo, "a FIFO"), (link, "a FIFO"), (Path("/dev/zero"), "a device"), (Path(folder), "a directory")):
                with self.subTest(path), self.assertRaisesRegex(ValueError, f"{path} is {kind}, not a regular file"):
                    poslab.open(path)

    def test_an_hdf5_file_of_somebody_else(self):
        path = SAMPLES / "somebody-else.h5"
        with h5py.File(path, "w") as file:
            file.attrs["title"] = "something"
        with self.assertRaisesRegex(ValueError, "no results file of poslab"):
            poslab.open(path)


class SizesOutOfAllProportion(unittest.TestCase):
    """A small file may declare more values than anybody can read: it is refused before one is."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = Path(directory.name) / "a.h5"
        shutil.copy(SAMPLES / "sample.h5", self.path)

    def add(self, name, shape):
        with h5py.File(self.path, "a") as file:
            file["uniqueness"].create_dataset(name, shape, "<f8", chunks=(1, 8192)[-len(shape):])

    def test_many_values(self):
        self.add("more", (1 << 36,))
        self.assertLess(self.path.stat().st_size, 1 << 20)
        with self.assertRaisesRegex(ValueError, r"uniqueness/more declares \(68719476736,\) values of 549755813888 bytes"):
            poslab.open(self.path)

    def test_texts_that_share_their_bytes(self):
        with h5py.File(self.path, "a") as file:
            file.create_dataset("one", (2000,), h5py.string_dtype())
            file["one"][0] = "x" * 1_000_000
            place = file["one"].id.get_offset()
        data = bytearray(self.path.read_bytes())
        data[place:place + 2000 * 16] = data[place:place + 16] * 2000
        self.path.write_bytes(data)
        self.assertLess(self.path.stat().st_size, 3 << 20)
        with self.assertRaisesRegex(ValueError, r"one has texts of 20000\d{5} bytes"):
            poslab.open(self.path)

    def test_texts_that_share_their_bytes_in_chunks(self):
        with h5py.File(self.path, "a") as file:
            text = file.create_dataset("one", (2000,), h5py.string_dtype(), chunks=(2000,), compression=4, shuffle=True)
            text[:] = ["x" * 1_000_000, *[""] * 1999]
            mask, chunk = text.id.read_direct_chunk((0,))
            text.id.write_direct_chunk((0,), zlib.compress(zlib.decompress(chunk)[:16] * 2000), mask)
        with self.assertRaisesRegex(ValueError, r"one has texts of 20000\d{5} bytes"):
            poslab.open(self.path)

    def test_many_texts_in_chunks_are_read(self):
        with h5py.File(self.path, "a") as file:
            file.create_dataset("one", data=["some text"] * 5000, dtype=h5py.string_dtype(), chunks=(500,), compression=4,
                                shuffle=True).make_scale("one")
        poslab.open(self.path)

    def test_one_value_in_a_large_chunk(self):
        with h5py.File(self.path, "a") as file:
            file.create_dataset("one", (1,), "<f8", chunks=(1 << 17,), maxshape=(None,))
        with self.assertRaisesRegex(ValueError, "one has chunks of 1048576 bytes"):
            poslab.open(self.path)

    def test_a_heap_without_end_in_whatever_reserved_bytes(self):
        data = bytearray(self.path.read_bytes())
        data = data[:-80]  # its seal
        heap = data.index(b"GCOL\x01")
        for reserved in (b"\0\0\0", b"\0\x01\0"):
            data[heap + 5:heap + 8] = reserved
            data[heap + 16:heap + 32] = bytes(16)  # a free space of no bytes, at which HDF5 stays for ever
            self.path.write_bytes(data)
            with self.assertRaisesRegex(ValueError, f"the heap at byte {heap} has an object whose size cannot be"):
                poslab.open(self.path)

    def test_many_in_all(self):
        poslab.open(self.path)
        for number in range(40):
            self.add(f"more{number}", (1 << 10, 1 << 16))  # half a gibibyte each
        with self.assertRaisesRegex(ValueError, "declares .* of 536870912 bytes, with what comes before it"):
            poslab.open(self.path)


class DeeperThanAnybodyReads(unittest.TestCase):
    """What is within what is within what is a call within a call to who reads it: a file is looked at to a fixed depth."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = Path(directory.name) / "a.h5"
        shutil.copy(SAMPLES / "sample.h5", self.path)

    def assert_refused(self, words):
        with self.assertRaisesRegex(ValueError, f"{self.path}: {words}; poslab writes no such thing"):
            poslab.open(self.path)

    def nested(self, levels):
        """A number in a structure in a structure ..."""
        kind = h5py.h5t.NATIVE_DOUBLE
        for _ in range(levels):
            outer = h5py.h5t.create(h5py.h5t.COMPOUND, kind.get_size())
            outer.insert(b"a", 0, kind)
            kind = outer
        return kind

    def test_groups(self):
        for where in ("/", "uniqueness", "provenance", "answers"):
            with self.subTest(where), h5py.File(self.path, "a") as file:
                group = file[where]
                for _ in range(1000):
                    group = group.create_group("g")
            self.assert_refused(f"{'' if where == '/' else where + '/'}g(/g)+ lies in more than 4 groups")
            with h5py.File(self.path, "a") as file:
                del file[where]["g"]

    def test_as_deep_as_poslab_may_write_is_read(self):
        with h5py.File(self.path, "a") as file:
            file.create_group("uniqueness/b/c/d")
        poslab.open(self.path)

    def test_many_objects(self):
        with h5py.File(self.path, "a") as file:
            group = file.create_group("uniqueness/more")
            for number in range(100_001):
                group.id.links.create_hard(b"%d" % number, file["uniqueness"].id, b"status")
        self.assert_refused("uniqueness/more/? has, with what comes before it, more than 100000 objects")

    def test_types_of_attributes_and_of_values(self):
        for levels in (1, 1000):
            with h5py.File(self.path, "a") as file:
                h5py.h5a.create(file["uniqueness"].id, b"nested", self.nested(levels), h5py.h5s.create(h5py.h5s.SCALAR))
            self.assert_refused("uniqueness@nested is neither a number nor a text")
            with h5py.File(self.path, "a") as file:
                del file["uniqueness"].attrs["nested"]
                h5py.h5d.create(file["uniqueness"].id, b"nested", self.nested(levels), h5py.h5s.create(h5py.h5s.SCALAR))
            self.assert_refused("uniqueness/nested has a type that is made of others")
            with h5py.File(self.path, "a") as file:
                del file["uniqueness/nested"]
        with h5py.File(self.path, "a") as file:
            file["uniqueness/named"] = h5py.h5t.NATIVE_DOUBLE.dtype
        self.assert_refused("uniqueness/named is a named type")

    def test_where_netcdf_keeps_references(self):
        with h5py.File(self.path, "a") as file:
            h5py.h5a.create(file["uniqueness"].id, b"DIMENSION_LIST", self.nested(1000), h5py.h5s.create(h5py.h5s.SCALAR))
        self.assert_refused("uniqueness@DIMENSION_LIST is neither a number nor a text")

    def test_large_attributes_and_lists_of_texts(self):
        with h5py.File(self.path, "a") as file:
            space = h5py.h5s.create_simple((1 << 32, 1 << 32))
            h5py.h5a.create(file.id, b"wide", h5py.h5t.STD_U8LE, space)
        self.assert_refused("/@wide is larger than a mebibyte")
        with h5py.File(self.path, "a") as file:
            del file.attrs["wide"]
            file.attrs["texts"] = ["one", "another"]
        self.assert_refused("/@texts is a list of texts")

    def test_lists_in_lists_in_a_text_are_none(self):
        with h5py.File(self.path, "a") as file:
            for name in ("doubts", "weights_from", "supply", "builds", "experiment_versions"):
                if name in file["provenance"]:
                    del file["provenance"][name]
                file["provenance"].create_dataset(name, data="[" * 200_000, dtype=h5py.string_dtype())
        run = poslab.open(self.path)
        self.assertEqual((run.doubts, run.weights_files, run.files), ({}, [], {}))


class FilesThatLeadElsewhere(unittest.TestCase):
    """Nothing that a results file names outside itself is opened: the file is refused first, by the object's name."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = Path(directory.name) / "a.h5"
        self.other = Path(directory.name) / "other.h5"
        shutil.copy(SAMPLES / "sample.h5", self.path)
        shutil.copy(SAMPLES / "sample.h5", self.other)

    def refused(self, spoil, *words):
        with h5py.File(self.path, "a") as file:
            spoil(file)
        self.other.unlink()
        os.mkfifo(self.other)  # opening it would wait for ever
        with self.assertRaises(ValueError) as refusal:
            poslab.open(self.path)
        for word in (str(self.path), *words):
            self.assertIn(word, str(refusal.exception))

    def test_a_link_into_another_file(self):
        def spoil(file):
            file["uniqueness/extra"] = h5py.ExternalLink(str(self.other), "/uniqueness")

        self.refused(spoil, "uniqueness/extra is a link into another file", str(self.other))

    def test_an_experiment_in_another_file(self):
        def spoil(file):
            del file["uniqueness"]
            file["uniqueness"] = h5py.ExternalLink(str(self.other), "/uniqueness")

        self.refused(spoil, "uniqueness is a link into another file")

    def test_a_soft_link(self):
        def spoil(file):
            file["uniqueness/extra"] = h5py.SoftLink("/relative-shift")

        self.refused(spoil, "uniqueness/extra is a soft link", "/relative-shift")

    def test_values_in_another_file(self):
        def spoil(file):
            count = file["uniqueness/min_distance"].shape[0]
            del file["uniqueness/min_distance"]
            elsewhere = [(str(self.other), 0, 8 * count)]
            file["uniqueness"].create_dataset("min_distance", (count,), "<f8", external=elsewhere)

        self.refused(spoil, "uniqueness/min_distance has its values in another file", str(self.other))

    def test_a_virtual_dataset(self):
        def spoil(file):
            count = file["uniqueness/min_distance"].shape[0]
            del file["uniqueness/min_distance"]
            layout = h5py.VirtualLayout((count,), "<f8")
            layout[:] = h5py.VirtualSource(str(self.other), "uniqueness/min_distance", (count,))
            file["uniqueness"].create_virtual_dataset("min_distance", layout)

        self.refused(spoil, "uniqueness/min_distance is a virtual dataset")

    def test_a_group_within_itself(self):
        def spoil(file):
            file["uniqueness/again"] = file["/"]

        self.refused(spoil, "uniqueness/again is a second name of /")

    def test_one_that_came_later(self):
        run = poslab.open(self.path)
        with h5py.File(self.path, "a") as file:
            del file["provenance"]
            file["provenance"] = h5py.ExternalLink(str(self.other), "/provenance")
        with self.assertRaisesRegex(ValueError, "provenance is a link into another file"):
            run.provenance


if __name__ == "__main__":
    unittest.main()
