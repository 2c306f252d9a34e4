"""Bad input gets a clear error, exit code 2, and loses nothing."""

import os
import shutil
import subprocess
import unittest

from poslab_case import BINARY, BUILD, SMALL_STUDY, PoslabCase


class BadInput(PoslabCase):
    def refused(self, *arguments, says, **options):
        output = self.expect(2, *arguments, **options)
        self.assertIn(says, output)
        self.assertFalse(list(self.scratch.glob("*.h5")), "nothing may be written")

    def study_with(self, old, new):
        self.assertIn(old, SMALL_STUDY)
        return self.study(SMALL_STUDY.replace(old, new))

    def test_studies_that_cannot_be_read(self):
        self.refused("run", "missing.toml", says="missing.toml")
        (self.scratch / "folder.toml").mkdir()
        self.refused("run", "folder.toml", says="directory")
        self.refused("run", self.study().parent, says="name a study in it: " + str(self.scratch / "folder.toml"))
        if os.geteuid() != 0:  # root reads everything
            self.study().chmod(0)
            self.refused("run", "study.toml", says="ermission")

    def test_mistakes_in_a_study_are_all_told_with_their_place(self):
        study = self.study_with("length = [8, 16]", "lenght = [8, 16]\nheads = [3.5]")
        output = self.expect(2, "run", study)
        self.assertRegex(output, r'study\.toml:19:1: "lenght" is not an axis of uniqueness; did you mean "length"\?')
        self.assertRegex(output, r"study\.toml:20:\d+: .*heads")

    def test_results_are_told_from_a_study_and_a_study_from_results(self):
        self.expect(0, "run", self.study(), "-o", "a.h5")
        for command in (["run"], ["submit", "--tasks=2"]):
            self.assertIn("a.h5: holds results, and a study is wanted; run the study (.toml)", self.expect(2, *command, "a.h5"))
        self.assertIn("a.h5.journal: is a journal, and a study is wanted; poslab status", self.expect(2, "run", "a.h5.journal"))
        self.assertIn("study.toml: is a study or another text, and results are wanted; poslab run",
                      self.expect(2, "compare", "a.h5", "study.toml"))
        (self.scratch / "a.h5").rename(self.scratch / "b.toml")  # by what it holds, not by its name
        self.assertIn("equal", self.expect(0, "compare", "b.toml", "b.toml"))

    def test_a_scheme_that_nobody_knows_may_be_ones_own(self):
        yours = "if it is yours: --plugins DIR or POSLAB_PLUGIN_PATH"
        study = self.study_with('use = "rope"', 'use = "mine"')
        for command in (["run", study], ["describe", "mine"], ["table", "mine"], ["check", "mine"]):
            self.assertIn(yours, self.expect(2, *command))
        self.assertLess(len(self.expect(2, "run", study)), 300)  # and not all schemes that there are

    def test_toml_mistakes(self):
        self.refused("run", self.study("format = 1\n[[scheme\n"), says="study.toml:2:")
        self.refused("run", self.study("\0\1\2"), says="study.toml:")

    def test_values_out_of_range(self):
        for old, new, says in [
            ('use = "rope"', 'use = "rope"\nset = { base = nan }', "base"),
            ('use = "rope"', 'use = "rope"\nset = { base = -1.0 }', "base"),
            ('use = "rope"', 'use = "rope"\nset = { base = "big" }', "base"),
            ('use = "rope"', 'use = "rope"\nset = { style = "halfsplit" }', "half-split"),
            ('use = "rope"', 'use = "rop"', 'did you mean "rope"?'),
            ('use = "rope"', 'use = "rope"\nlibrary = "/tmp/evil.so"', "library"),
            ("length = [8, 16]", "length = [-1]", "-1"),
            ("length = [8, 16]", "length = [0]", "length"),
            ("length = [8, 16]", "length = []", "length"),
            ("length = [8, 16]", "length = [8.5]", "length"),
            ("heads = 4", "heads = 5", "5"),
            ("heads = 4", "heads = 0", "heads"),
        ]:
            with self.subTest(new):
                self.refused("run", self.study_with(old, new), says=says)

    def test_lengths_one_and_two_are_legal(self):
        self.expect(0, "run", self.study_with("[8, 16]", "[1, 2]"))

    def test_zero_cells(self):
        self.refused("run", self.study(), "--only", "nothing", says="nothing")

    def test_output_that_cannot_be_written(self):
        study = self.study()
        self.refused("run", study, "-o", "no/such/place.h5", says="choose a directory that exists and is writable")
        self.refused("run", study, "-o", self.scratch, says="directory")
        if os.geteuid() != 0:
            closed = self.scratch / "closed"
            closed.mkdir(mode=0o500)
            self.refused("run", study, "-o", closed / "a.h5", says="ermission")

    def test_another_study_s_results_are_not_overwritten(self):
        self.expect(0, "run", self.study(), "-o", "a.h5")
        before = (self.scratch / "a.h5").read_bytes()
        output = self.expect(2, "run", self.study(), "--axis", "length=9", "-o", "a.h5")
        self.assertIn("another study", output)
        self.assertEqual((self.scratch / "a.h5").read_bytes(), before)
        self.expect(0, "run", self.study(), "--axis", "length=9", "-o", "a.h5", "--fresh")
        self.assertNotEqual((self.scratch / "a.h5").read_bytes(), before)

    def test_a_file_that_is_no_results_file_is_not_overwritten(self):
        (self.scratch / "notes.txt").write_text("mine")
        self.assertIn("notes.txt", self.expect(2, "run", self.study(), "-o", "notes.txt"))
        self.assertEqual((self.scratch / "notes.txt").read_text(), "mine")

    def test_memory_budget(self):
        study = self.study_with("[8, 16]", "[16384]")
        output = self.expect(2, "run", study, "--memory", "1MB")
        self.assertRegex(output, "^poslab: [a-z ]*is estimated to need")  # the culprit before the cell
        self.assertIn("--force", output)
        self.refused("run", study, "--memory", "4", says='"4" is 4 bytes of memory; write it with its unit, like 4GiB')

    def test_plugin_directories(self):
        empty = self.scratch / "empty"
        empty.mkdir()
        alone = self.scratch / "alone/bin/poslab"  # a program that has no schemes of its own beside it
        alone.parent.mkdir(parents=True)
        shutil.copy(BINARY, alone)
        self.refused("run", self.study(), "--plugins", empty, says="no scheme was found in", binary=alone)
        self.refused("run", self.study(), "--plugins", self.scratch / "nowhere", says="nowhere", binary=alone)
        (empty / "text.so").write_text("not a library")
        self.refused("list", "--plugins", empty, says="text.so", binary=alone)
        shutil.copy(BUILD / "plugins/rope.so", empty)
        (empty / "rope.so").chmod(0o666)
        self.assertIn("rope.so: everybody may write to this file",
                      self.expect(2, "list", "--plugins", empty, binary=alone).replace(": \n", ": "))
        (empty / "rope.so").unlink()
        empty.chmod(0o777)
        self.refused("list", "--plugins", empty, says="everybody may write", binary=alone)

    def test_plugins_that_others_could_exchange(self):
        directory = self.scratch / "shared/plugins"
        directory.mkdir(parents=True)
        shutil.copy(BUILD / "faults/toy/toy.so", directory)
        (self.scratch / "shared").chmod(0o777)
        from_path = {"POSLAB_PLUGIN_PATH": str(directory)}
        output = self.expect(0, "list", environment=from_path)
        self.assertIn(f"passed over {directory}: everybody may write to {self.scratch}/shared; if you trust", output)
        self.assertNotIn("toy ", output)
        for command in (["list"], ["describe", "toy"], ["check", "toy", "--only", "table"]):
            output = self.expect(0, *command, "--plugins", directory)
            self.assertIn(f"poslab: {directory}: everybody may write to {self.scratch}/shared; it is used all the same", output)
        (self.scratch / "shared").chmod(0o1777)
        self.assertNotIn("passed over", self.expect(0, "list", environment=from_path))

    def test_ones_own_plugins_come_first_and_the_others_stay(self):
        own = self.scratch / "own"
        own.mkdir()
        shutil.copy(BUILD / "plugins/rope.so", own)
        for command in (["list"], ["describe", "rope"], ["run", self.study()]):
            said = self.expect(0, *command, "--plugins", own)
            self.assertEqual(said.count(f"poslab: rope from {own}, in place of {BUILD}/plugins\n"), 1, said)
            self.assertNotIn("passed over", said)
        self.assertIn("alibi", self.expect(0, "list", "--plugins", own))

    def test_a_study_names_no_library_no_directory_and_no_output(self):
        elsewhere = self.scratch / "elsewhere"
        for key in ("plugins", "plugin_path", "library", "output", "path", "include"):
            line = f'{key} = "{elsewhere}"'
            for place in ("format = 1", "[model]", 'use = "rope"', 'use = "uniqueness"', "length = [8, 16]"):
                with self.subTest(key=key, place=place):
                    self.refused("run", self.study_with(place, f"{place}\n{line}"), says=f'"{key}"')
        for name in ("../rope", "/bin/rope", "rope.so", "..", ""):
            with self.subTest(name):
                self.refused("run", self.study_with('use = "rope"', f'use = "{name}"'), says="study.toml:")
        self.assertFalse(elsewhere.exists())

    def test_results_stay_where_poslab_was_called_whatever_the_study_is_called(self):
        below = self.scratch / "below"
        below.mkdir()
        text = SMALL_STUDY.replace('title = "small"', f'title = "../{"../" * 20}tmp/evil"').replace("[8, 16]", "[8]")
        for name, output in ((".toml", ".toml.h5"), ("..toml", "..h5"), ("...toml", "...h5"), ("-o.toml", "-o.h5"),
                             ("a b.toml", "a b.h5"), ("$(x).toml", "$(x).h5"), ("no_suffix", "no_suffix.h5")):
            with self.subTest(name):
                before = {path.name for path in self.scratch.iterdir()} | {name}
                self.study(text, name)
                self.expect(0, "run", f"../{name}", cwd=below)
                self.assertEqual({path.name for path in self.scratch.iterdir()}, before)
                self.assertTrue((below / output).is_file(), sorted(below.iterdir()))
        self.assertIn("stdin.h5", self.expect(0, "run", "/dev/stdin", cwd=below, input=text))
        self.assertTrue((below / "stdin.h5").is_file())

    def test_a_study_that_comes_through_a_pipe_or_as_an_open_file_is_one_like_any(self):
        study = self.study()
        with open(study) as file:
            self.assertIn("8 cells: new", self.expect(0, "run", "/dev/stdin", "--plan", stdin=file))
        for scheme in ("none", "rope"):  # the second finds results of the first, and reads the study for them, too
            self.expect(0, "run", "/dev/stdin", "-o", "a.h5", "--only", scheme, input=SMALL_STUDY)
        self.expect(0, "run", study, "-o", "b.h5", "--only", "none", "--only", "rope")
        self.assertIn("equal bit for bit", self.expect(0, "compare", "--exact", "a.h5", "b.h5"))

    def test_odd_widths_and_indivisible_heads_are_skipped_with_a_sentence(self):
        study = self.study(SMALL_STUDY.replace("[8, 16]", "[8]") + "d_model = [32, 36]\nheads = [4, 5]\n")
        output = self.expect(0, "run", study, "--verbose")
        self.assertIn("5 heads do not divide", output)
        self.assertIn("even", output)  # rope on a head width of 9

    def test_table_refuses_what_makes_no_sense(self):
        for arguments, says in [
            (["table", "rop"], 'did you mean "rope"?'),
            (["table", "rope", "--set", "bass=1"], 'did you mean "base"?'),
            (["table", "rope", "--set", "base=0"], "base"),
            (["table", "rope", "--positions", "5:5"], "A < B"),
            (["table", "rope", "--positions", "0-64"], "A:B"),
            (["table", "rope", "--set", "theta=3"], "it has base"),
            (["table", "none", "--set", "theta=3"], "it has none"),
            (["table", "rope", "--d-model", "63"], "do not divide"),
            (["table", "rope", "--d-model", "12"], "even"),
            (["table", "learned", "--positions", "0:100000"], "65536"),
            (["table", "learned", "--set", "max_length=512", "--positions", "0:5000"], "position"),
            (["compare", "a", "b"], "a"),
        ]:
            with self.subTest(" ".join(arguments)):
                self.refused(*arguments, says=says)


class FullDisk(PoslabCase):
    def test_a_disk_that_fills_up_loses_nothing(self):
        import shutil
        import subprocess
        if os.geteuid() != 0 or not shutil.which("mount"):
            self.skipTest("mounting a small file system needs root")
        small = self.scratch / "small"
        small.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=17m", "tmpfs", small], capture_output=True).returncode != 0:
            self.skipTest("this machine does not let root mount a tmpfs")
        self.addCleanup(subprocess.run, ["umount", small])
        study = self.study()
        self.expect(0, "run", study, "-o", small / "fits.h5")
        (small / "ballast").write_bytes(bytes(12 << 20))
        self.assertIn("free", self.expect(4, "run", study, "-o", small / "full.h5"))
        self.assertEqual({p.name for p in small.iterdir()}, {"ballast", "fits.h5", "fits.h5.journal"})

    def test_an_output_without_a_name_or_with_that_of_a_journal(self):
        study = self.study()
        for command in (["run", study], ["merge", "x.1-of-1.h5"], ["table", "rope"]):
            self.assertIn("-o wants the name of a file", self.expect(2, *command, "-o", ""))
            self.assertIn("would be taken for a journal", self.expect(2, *command, "-o", "a.h5.journal"))
        self.assertEqual([path.name for path in self.scratch.iterdir()], ["study.toml"])

    def test_in_process_there_is_nobody_to_stop_a_cell(self):
        for option in (["--cell-time", "2"], ["--workers", "2"]):
            self.assertIn("--in-process performs the cells here", self.expect(2, "run", self.study(), "--in-process", *option))

    def test_half_of_what_was_printed_is_no_success(self):
        for command in (["list"], ["list", "--json"], ["describe", "rope", "--json"], ["--version"]):
            with open("/dev/full", "w") as full:
                done = subprocess.run([BINARY, *command], stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 4, command)
            self.assertIn("not all could be printed", done.stderr)

    def test_a_file_that_may_not_grow_is_like_a_full_disk(self):
        study = self.study(SMALL_STUDY.replace("[8, 16]", "[8, 16, 700, 701, 702, 703]"))
        done = subprocess.run(["bash", "-c", 'ulimit -f 20; exec "$0" run "$1" -o a.h5', BINARY, study], cwd=self.scratch,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertEqual({path.name for path in self.scratch.iterdir()} - {"study.toml", "a.h5.journal", "a.h5.journal-journal"}, set())
        self.expect(0, "run", study, "-o", "a.h5")


if __name__ == "__main__":
    unittest.main()
