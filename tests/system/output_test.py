"""What lies where results shall go: never in the way of going on, never replaced unasked if it is somebody's work, and never able to
end the program that looks at it."""

import os
import shutil
import subprocess
import unittest

import h5py
from poslab_case import BINARY, SMALL_STUDY, PoslabCase

OTHER = SMALL_STUDY.replace("[8, 16]", "[9]")
SEAL_BYTES = 80  # the checksum at the end of a file: results/h5/seal.hpp


def with_broken_heap(path):
    """The heap says of the text in `study_hash` that it is far longer than the file: HDF5 1.10 crashes when it reads that.
    As of an earlier poslab, without a checksum.
    """
    data = bytearray(path.read_bytes()[:-SEAL_BYTES])
    with h5py.File(path) as file:
        text = file.attrs["study_hash"].encode()
    place = data.index(text)
    assert int.from_bytes(data[place - 8:place], "little") == len(text)
    data[place - 6] = data[place - 3] = 0xff
    return bytes(data)


class Broken(PoslabCase):
    def setUp(self):
        super().setUp()
        self.file = self.scratch / "a.h5"
        self.expect(0, "run", self.study(), "-o", "a.h5")
        self.whole = self.file.read_bytes()
        shutil.copy(self.file, self.scratch / "undisturbed.h5")
        self.broken = {"cut": self.whole[:5000], "empty": b"", "heap": with_broken_heap(self.file),
                       "bit": self.whole[:9000] + bytes([self.whole[9000] ^ 1]) + self.whole[9001:]}
        with h5py.File(self.scratch / "foreign.h5", "w") as file:
            file["weights"] = [1.0, 2.0]
        self.expect(0, "run", self.study(OTHER, "other.toml"), "-o", "other.h5")
        self.foreign = {"text": b"my notes on study_hash", "weights": (self.scratch / "foreign.h5").read_bytes(),
                        "another study": (self.scratch / "other.h5").read_bytes()}

    def test_does_not_keep_a_run_from_going_on(self):
        for name, data in self.broken.items():
            for options in ([], ["--fresh"]):
                with self.subTest(name, options=options):
                    self.file.write_bytes(data)
                    said = self.expect(0, "run", "study.toml", "-o", "a.h5", *options)
                    self.assertEqual("8 of 8 cells are kept" in said, not options)
                    self.assertIn("equal bit for bit", self.expect(0, "compare", "--exact", "a.h5", "undisturbed.h5"))

    def test_of_somebody_else_is_not_replaced_though_our_journal_lies_beside_it(self):
        for name, data in self.foreign.items():
            with self.subTest(name):
                self.file.write_bytes(data)
                said = self.expect(2, "run", "study.toml", "-o", "a.h5")
                self.assertIn("a.h5: ", said)
                self.assertIn("choose another file with -o", said)
                self.assertEqual(self.file.read_bytes(), data)
        self.expect(0, "run", "study.toml", "-o", "a.h5", "--fresh")

    def test_is_not_replaced_where_no_journal_says_that_it_was_ours(self):
        (self.scratch / "a.h5.journal").unlink()
        for shard in (1, 2):
            self.expect(0, "run", "study.toml", "--shard", f"{shard}/2", "-o", "s.h5")
        for name, data in {**self.broken, "text": self.foreign["text"]}.items():
            with self.subTest(name):
                self.file.write_bytes(data)
                for words in (["run", "study.toml"], ["merge", "s.1-of-2.h5", "s.2-of-2.h5"]):
                    said = self.expect(2, *words, "-o", "a.h5")
                    self.assertIn("a.h5: ", said)
                    self.assertRegex(said, "move it away.* or replace it with --fresh")
                    self.assertEqual(self.file.read_bytes(), data)
                self.assertNotIn("ends its process", said)  # what HDF5 would die of is found before
                self.expect(0, "merge", "s.1-of-2.h5", "s.2-of-2.h5", "-o", "a.h5", "--fresh")
                self.file.write_bytes(data)
                self.expect(0, "run", "study.toml", "-o", "a.h5", "--fresh")
                (self.scratch / "a.h5.journal").unlink()

    def test_of_a_shard_is_made_again_by_what_merge_advises(self):
        self.expect(0, "run", "study.toml", "--shard", "1/2", "-o", "it's.h5", "--axis", "length=8,12")
        self.expect(0, "run", "study.toml", "--shard", "2/2", "-o", "it's.h5", "--axis", "length=8,12")
        shard = self.scratch / "it's.2-of-2.h5.journal"
        shard.write_bytes(shard.read_bytes()[:5000])
        said = self.expect(2, "merge", "-o", "merged.h5", "it's.1-of-2.h5", "it's.2-of-2.h5")
        self.assertIn("it's.2-of-2.h5.journal: is corrupt", said)
        self.assertNotIn("not among the files given", said)
        command = said[said.index("(poslab run ") + 1:said.index("), or merge what there is")]
        subprocess.run(["bash", "-c", command.replace("poslab", BINARY, 1)], cwd=self.scratch, check=True, capture_output=True)
        self.expect(0, "merge", "-o", "merged.h5", "it's.1-of-2.h5", shard.name)

    def test_that_a_notebook_has_open_is_replaced_all_the_same(self):
        with h5py.File(self.file, "r+"):
            self.assertIn("8 of 8 cells are kept", self.expect(0, "run", "study.toml", "-o", "a.h5"))

    def test_a_link_that_leads_nowhere_is_a_name_like_any(self):
        os.symlink("elsewhere.h5", self.scratch / "link.h5")
        self.expect(0, "run", "study.toml", "-o", "link.h5")
        self.assertTrue((self.scratch / "link.h5").is_symlink())
        self.assertIn("equal bit for bit", self.expect(0, "compare", "--exact", "elsewhere.h5", "a.h5"))


class Beside(PoslabCase):
    def test_what_the_report_would_fail_at_is_refused_before_the_run(self):
        self.expect(0, "run", self.study())
        shutil.copy(self.scratch / "study.h5", self.scratch / "s.1-of-1.h5")
        with h5py.File(self.scratch / "s.1-of-1.h5", "r+") as file:
            file.create_group("shard")  # as earlier versions wrote it
        self.expect(0, "table", "alibi", "-o", "table.h5")
        for file, reason in (("s.1-of-1.h5", "it is a shard"), ("table.h5", "it holds a table"), ("study.toml", "study.toml: ")):
            said = self.expect(2, "run", "study.toml", "--only", "t5", "--beside", file)
            self.assertIn(reason, said)
            self.assertFalse((self.scratch / "study-t5.h5").exists())

    def test_a_page_of_somebody_else_is_kept(self):
        self.expect(0, "run", self.study())
        page = self.scratch / "study-t5.md"
        page.write_text("my notes")
        words = ["run", "study.toml", "--only", "t5", "--beside", "study.h5"]
        said = self.expect(2, *words)
        self.assertIn("study-t5.md: was not made by poslab report", said)
        self.assertFalse((self.scratch / "study-t5.h5").exists())
        self.assertEqual(page.read_text(), "my notes")
        self.expect(0, *words, "--fresh")
        self.assertIn("t5", page.read_text())
        self.expect(0, *words)  # its own


class LongNames(PoslabCase):
    def test_a_name_that_leaves_none_for_the_files_beside_it_is_refused(self):
        longest = os.pathconf(self.scratch, "PC_NAME_MAX") - len(".journal-checkpoints-journal")
        name = "a" * (longest + 1 - len(".h5")) + ".h5"
        for words in ([], ["--plan"]):
            said = self.expect(0 if words else 2, "run", self.study(), "-o", name, *words)
            self.assertIn("its name is too long by 1 byte:", said)
        self.assertEqual([path.name for path in self.scratch.iterdir()], ["study.toml"])


class SomebodysWork(PoslabCase):
    def test_a_shard_of_another_study(self):
        self.expect(0, "run", self.study(), "--shard", "1/1", "-o", "x.h5")
        before = (self.scratch / "x.1-of-1.h5.journal").read_bytes()
        said = self.expect(2, "run", self.study(OTHER, "other.toml"), "--shard", "1/1", "-o", "x.h5")
        self.assertIn("holds the results of another study", said)
        self.assertEqual((self.scratch / "x.1-of-1.h5.journal").read_bytes(), before)
        self.expect(0, "run", "other.toml", "--shard", "1/1", "-o", "x.h5", "--fresh")

    def test_the_shards_of_a_study_of_which_nothing_is_asked_any_more(self):
        self.expect(0, "run", self.study(), "--shard", "1/1", "-o", "x.h5")
        self.expect(0, "run", self.study(OTHER), "--shard", "1/1", "-o", "x.h5")

    def test_the_study_itself(self):
        study = self.study()
        for options in ([], ["--fresh"]):
            self.assertIn("is the study itself", self.expect(2, "run", study, "-o", "study.toml", *options))
        self.assertEqual(study.read_text(), SMALL_STUDY)

    def test_a_whole_run_is_not_replaced_by_a_part_of_it(self):
        self.expect(0, "run", self.study(), "-o", "whole.h5")
        self.expect(0, "run", "study.toml", "--shard", "1/2", "-o", "s.h5")
        before = (self.scratch / "whole.h5").read_bytes()
        said = self.expect(2, "merge", "--partial", "-o", "whole.h5", "s.1-of-2.h5")
        self.assertIn("holds all cells of this study", said)
        self.assertEqual((self.scratch / "whole.h5").read_bytes(), before)
        self.expect(3, "merge", "--partial", "-o", "whole.h5", "s.1-of-2.h5", "--fresh")
        self.expect(3, "merge", "--partial", "-o", "whole.h5", "s.1-of-2.h5")  # a part may follow a part
        self.expect(0, "run", "study.toml", "--shard", "2/2", "-o", "s.h5")
        self.expect(0, "merge", "-o", "whole.h5", "s.1-of-2.h5", "s.2-of-2.h5")

    def test_the_merge_of_a_study_before_it_grew(self):
        self.expect(0, "run", self.study(), "--shard", "1/1", "-o", "a.h5")
        self.expect(0, "merge", "-o", "a.h5", "a.1-of-1.h5")
        self.expect(0, "run", self.study(SMALL_STUDY.replace("[8, 16]", "[8, 16, 24]")), "--shard", "1/1", "-o", "a.h5")
        said = self.expect(2, "merge", "-o", "a.h5", "a.1-of-1.h5")
        self.assertIn("holds the results of another study, or of this one before it was changed", said)
        self.assertNotIn("journal", said)
        self.expect(0, "merge", "-o", "a.h5", "a.1-of-1.h5", "--fresh")

    def test_a_table_replaces_tables_only(self):
        self.expect(0, "run", self.study(), "-o", "a.h5")
        (self.scratch / "notes.txt").write_text("mine")
        for name in ("a.h5", "notes.txt"):
            before = (self.scratch / name).read_bytes()
            self.assertIn("choose another file with -o", self.expect(2, "table", "alibi", "-o", name))
            self.assertEqual((self.scratch / name).read_bytes(), before)
        self.expect(0, "table", "alibi", "-o", "t.h5")
        self.expect(0, "table", "rope", "-o", "t.h5")
        self.assertIn("holds a table", self.expect(2, "run", "study.toml", "-o", "t.h5"))


class NarrowerRuns(PoslabCase):
    def test_a_run_of_less_says_what_will_be_missing_and_loses_nothing(self):
        self.assertNotIn("this run leaves", self.expect(0, "run", self.study(), "-o", "a.h5"))
        self.assertNotIn("this run leaves", self.expect(0, "run", "study.toml", "-o", "a.h5"))
        whole = "a.h5 has the results of 8 cells, and this run leaves 2 in it; -o FILE keeps both, "
        self.assertIn(whole + "and the others come back when", self.expect(0, "run", "study.toml", "-o", "a.h5", "--only", "rope"))
        self.assertNotIn("this run leaves", self.expect(0, "run", "study.toml", "-o", "a.h5", "--only", "rope"))
        self.assertIn("8 of 8 cells are kept", self.expect(0, "run", "study.toml", "-o", "a.h5"))
        said = self.expect(0, "run", "study.toml", "-o", "a.h5", "--only", "rope", "--fresh")
        self.assertIn(whole + "and --fresh forgets the others", said)

    def test_a_plan_and_a_file_that_is_gone_are_not_worth_a_word(self):
        self.expect(0, "run", self.study(), "-o", "a.h5")
        self.assertNotIn("this run leaves", self.expect(0, "run", "study.toml", "-o", "a.h5", "--only", "rope", "--plan"))
        (self.scratch / "a.h5").unlink()
        self.assertNotIn("this run leaves", self.expect(0, "run", "study.toml", "-o", "a.h5", "--only", "rope"))


class CorruptJournal(PoslabCase):
    def setUp(self):
        super().setUp()
        self.expect(0, "run", self.study(), "-o", "a.h5")
        journal = self.scratch / "a.h5.journal"
        journal.write_bytes(journal.read_bytes()[:5000])

    def test_plan_says_what_would_become_of_it(self):
        said = self.expect(0, "run", "study.toml", "-o", "a.h5", "--plan")
        self.assertRegex(said, r"a\.h5\.journal: is corrupt; a run keeps it aside as \S*a\.h5\.journal\.corrupt")
        self.assertRegex(said, "8 cells: new")

    def test_a_study_that_grew_goes_on(self):
        grown = self.study(SMALL_STUDY.replace("[8, 16]", "[8, 16, 24]"))
        self.assertIn("was corrupt: it is kept as", self.expect(0, "run", grown, "-o", "a.h5"))


if __name__ == "__main__":
    unittest.main()
