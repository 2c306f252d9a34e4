# SPDX-License-Identifier: Apache-2.0
"""A results file of an earlier schema in Python: the program upgrades a copy, and the file stays as it is."""

import gc
import os
import shutil
import sys
import unittest
from unittest import mock

from poslab_case import BINARY, SOURCE, PoslabCase

sys.path.insert(0, str(SOURCE / "results/python"))
import poslab  # noqa: E402


class FilesOfEarlierSchemas(PoslabCase):
    def setUp(self):
        super().setUp()
        self.file = self.scratch / "an earlier one.h5"
        shutil.copy(SOURCE / "tests/system/before/before.h5", self.file)
        self.bytes = self.file.read_bytes()

    def with_program(self, path):
        return mock.patch.dict(os.environ, {"POSLAB_PROGRAM": str(path)})

    def test_a_copy_is_upgraded_and_goes_with_the_run(self):
        with self.with_program(BINARY):
            run = poslab.open(self.file)
            self.assertEqual(list(run.answer_table.index), ["learned", "rope", "kerple"])
            self.assertEqual(run.signs_of_names, {"learned": "†", "rope": "", "kerple": "*"})
            self.assertEqual(len(run.index), 12)
            self.assertEqual(run.curve("nearest_distance", scheme="rope", length=run["uniqueness"].length.max().item()).dims, ("position",))
        self.assertEqual((run.path, self.file.read_bytes()), (self.file, self.bytes))
        copy = run.current_path
        self.assertTrue(copy.is_file())
        del run
        gc.collect()
        self.assertFalse(copy.exists())

    def test_without_the_program_a_sentence_names_the_command(self):
        for program in ("/nowhere/poslab", "/bin/false"):
            with self.with_program(program), self.assertRaisesRegex(
                    ValueError, r"of schema 1\.\d, which this package does not read; `poslab upgrade '.*an earlier one\.h5'` rewrites it"):
                poslab.open(self.file)
        self.assertEqual(self.file.read_bytes(), self.bytes)

    def test_a_page_has_the_upgraded_file(self):
        with self.with_program(BINARY):
            self.expect(0, "report", self.file, "-o", "page.md")
            self.expect(0, "report", self.file, "-o", "page.html")
        self.assertIn("| `kerple` \\* |", (self.scratch / "page.md").read_text())


if __name__ == "__main__":
    unittest.main()
