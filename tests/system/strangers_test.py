"""Texts of strangers (a plugin's words, a file's labels, names of files) reach the terminal as text, whatever they hold."""

import json
import re
import shutil
import unittest

import h5py
from packed_records import ShardRecord
from poslab_case import BUILD, SMALL_STUDY, SOURCE, PoslabCase

EVIL = "\x1b[31mred\nposlab: all is well\u202edesrever\u2028"  # as in tests/faults/boasts.c, which adds a byte 0xFF
SHOWN = r"\u001B[31mred\u000Aposlab: all is well\u202Edesrever\u2028"
STUDY = """
format = 1
title = "small"
[model]
d_model = 32
heads = 4
[[scheme]]
use = "boasts"
set = {{ mode = "{}" }}
[[experiment]]
use = "uniqueness"
axes = {{ length = [8] }}
"""
FAULTS = ["--plugins", BUILD / "faults/boasts"]


class Strangers(PoslabCase):
    def said(self, code, *arguments, **options):
        """What it says, after nothing in it was found that a terminal obeys, nor a line of a stranger's own."""
        output = self.expect(code, *arguments, **options)
        self.assertNotRegex(output, "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffd]")
        self.assertNotIn("\nposlab: all is well", output)
        return output

    def test_words_of_a_plugin_in_a_run(self):
        for mode, code in (("evil_refusal", 0), ("evil_failure", 3), ("evil_last_words", 3)):
            with self.subTest(mode):
                said = self.said(code, "run", self.study(STUDY.format(mode)), "-o", f"{mode}.h5", "--verbose", *FAULTS)
                self.assertIn("all is well\\u202Edesrever\\u2028", " ".join(said.split()))  # wherever its lines are wrapped

    def test_words_of_a_plugin_in_what_is_told_of_it(self):
        described = self.said(0, "describe", "boasts", "--set", "mode=evil_refusal", *FAULTS)
        self.assertIn(SHOWN, " ".join(described.split()))  # it breaks lines
        self.assertIn(r"all is well\u202Edesrever\u2028\xFF", self.said(1, "check", BUILD / "faults/boasts/boasts.so", "--set", "mode=evil_failure"))
        self.assertIn(SHOWN, self.said(2, "table", "boasts", "--set", "mode=evil_failure", *FAULTS))
        for mode in ("evil_name", "evil_sentence"):
            self.assertIn(r"\u001B[31mred\u000Aposlab", self.said(2, "describe", "boasts", "--set", f"mode={mode}", *FAULTS))
        self.assertIn(r'`title` holds what cannot be printed: "a title \u202E\u001B[2J',
                      self.said(0, "list", "--plugins", BUILD / "faults/evil_title"))
        text = self.expect(0, "describe", "boasts", "--set", "mode=evil_refusal", "--json", *FAULTS)
        self.assertNotRegex(text, "[\x1b\u202e\u2028]")
        self.assertIn(SHOWN, json.loads(text)["variant"]["refused"])

    def test_sizes_that_a_plugin_declares(self):
        for mode, words in (("square", "the shape 4294967296 x 4294967296: more than 1099511627776 numbers"),
                            ("negative", "the shape -1 x -8: every extent must be 1 or more"),
                            ("overflow_to_one", "the shape 3 x 3074457345618258603: more than")):
            said = self.said(3, "run", self.study(STUDY.format(mode)), "-o", f"{mode}.h5", "--verbose", *FAULTS)
            self.assertIn(words, said)
            self.assertNotIn("crashed", said)

    def test_labels_of_a_results_file(self):
        self.expect(0, "run", self.study(), "-o", "a.h5")
        shutil.copy(self.scratch / "a.h5", self.scratch / "b.h5")
        with h5py.File(self.scratch / "a.h5", "a") as file:
            file["uniqueness/variant"][:] = [EVIL] * len(file["uniqueness/variant"])
            file["uniqueness/min_distance"][:] += 1
            file.attrs["title"] = EVIL
            file["uniqueness"].attrs[EVIL] = 1
        self.assertIn(SHOWN, self.said(1, "compare", "a.h5", "b.h5"))
        self.assertIn(SHOWN, self.said(1, "compare", "a.h5", "b.h5", "--exact"))
        with h5py.File(self.scratch / "b.h5", "a") as file:
            file["uniqueness"][EVIL] = h5py.SoftLink("/")
        self.assertIn(SHOWN, self.said(2, "compare", "a.h5", "b.h5"))

    def test_a_file_that_declares_what_nobody_can_read(self):
        self.expect(0, "run", self.study(SMALL_STUDY), "-o", "a.h5")
        with h5py.File(self.scratch / "a.h5", "a") as file:
            file["uniqueness"].create_dataset("more", (1 << 36,), "<f8", chunks=(8192,))
        words = "/uniqueness/more declares values of 512.0 GiB"
        self.assertIn(words, self.said(2, "compare", "a.h5", "a.h5", "--exact"))
        self.assertIn(words, self.said(2, "compare", "a.h5", "a.h5"))

    def test_texts_of_a_shard(self):
        self.expect(0, "run", self.study(SMALL_STUDY), "--shard", "1/2", "-o", "a.h5")
        self.expect(0, "run", "study.toml", "--shard", "2/2", "-o", "b.h5")
        with ShardRecord(self.scratch / "b.2-of-2.h5.journal") as record:
            record.title = record.study_hash = EVIL.encode()
        self.assertIn(SHOWN, self.said(2, "merge", "-o", "c.h5", "a.1-of-2.h5", "b.2-of-2.h5"))
        self.said(3, "merge", "-o", "c.h5", "b.2-of-2.h5", "--partial")

    def test_names_of_files_and_folders(self):
        folder = self.scratch / EVIL
        folder.mkdir()
        shutil.copy(self.study(), folder / f"{EVIL}.toml")
        study = f"{EVIL}/{EVIL}.toml"
        self.assertIn(SHOWN, self.said(0, "run", study))
        self.said(0, "run", study, "--plan")
        self.assertIn(SHOWN, self.said(0, "status", f"{EVIL}.h5"))
        self.assertIn(SHOWN, self.said(0, "compare", f"{EVIL}.h5", f"{EVIL}.h5"))
        self.assertIn(SHOWN, self.said(2, "compare", f"{EVIL}.h5", f"{EVIL}/missing.h5"))
        (folder / f"{EVIL}.so").write_text("no library")
        self.assertIn(SHOWN, self.said(0, "list", "--plugins", folder))
        self.said(2, "run", folder)

    def test_there_is_one_way_to_the_terminal(self):
        writers = re.compile(r"\b(fputs|fputc|putchar|puts|fwrite|f?printf|fmt::print|std::(cout|cerr|clog))\b")
        found = {str(path.relative_to(SOURCE / "core/app")) for path in (SOURCE / "core/app").rglob("*.[ch]pp")
                 if "templates" not in path.parts and writers.search(path.read_text())}
        # main.cpp: one sentence of its own; progress_line.cpp: numbers, and the control characters that renew the line
        self.assertEqual(found, {"terminal/terminal.cpp", "main.cpp", "text/progress_line.cpp"})


if __name__ == "__main__":
    unittest.main()
