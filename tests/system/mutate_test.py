# SPDX-License-Identifier: Apache-2.0
"""./dev mutate in a project of one file, with stand-ins for cmake and ninja; and whether the shipped list fits the sources."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ["POSLAB_SOURCE_DIR"])
TOOL = SOURCE / "tests/mutations/mutate.py"
# Configures and builds: a program that tests whether the sum is right.
STAND_IN = """#!/bin/bash
echo "$@" >>"$LOG"
if [[ $1 == --preset ]]; then
  mkdir -p build/release/tests && touch build/release/build.ninja && exit
fi
grep -q syntax core/toy/toy.txt && { echo 'toy.txt:1: what is this?'; exit 1; }
cp core/toy/toy.txt build/release/toy.txt
cat >build/release/tests/test_toy <<'END'
#!/bin/bash
grep -q 'two and two is 4' toy.txt && good=true || good=false
printf '<TestCase name="sums &amp; so on"><OverallResult success="%s"/></TestCase>\\n' $good
[[ $good == true ]]
END
chmod +x build/release/tests/test_toy
"""
TOY = "two and two is 4\nwith a comment\n"
FAULT = '[[fault]]\nname = "{}"\nwhat = "a sentence"\nfile = "core/toy/toy.txt"\nold = "{}"\nnew = "{}"\n'
SEEN = FAULT.format("wrong-sum", "is 4", "is 5")
UNSEEN = FAULT.format("other-comment", "a comment", "no comment")


class Mutate(unittest.TestCase):
    def setUp(self):
        self.scratch = Path(tempfile.mkdtemp(prefix="poslab mutate "))
        self.addCleanup(shutil.rmtree, self.scratch)
        self.root, self.log = self.scratch / "project", self.scratch / "log"
        self.toy, self.page = self.root / "core/toy/toy.txt", self.root / "tests/mutations/mutations.md"
        self.toy.parent.mkdir(parents=True)
        self.page.parent.mkdir(parents=True)
        self.toy.write_text(TOY)
        self.page.write_text("before\n<!-- written by ./dev mutate --write -->\n<!-- end -->\nafter\n")
        self.stand_in = self.scratch / "stand-in"
        self.stand_in.write_text(STAND_IN)
        self.stand_in.chmod(0o755)

    def mutate(self, code, faults, *words):
        (self.page.parent / "faults.toml").write_text(faults)
        self.log.write_text("")
        done = subprocess.run([sys.executable, "-B", TOOL, "--root", self.root, "--cmake", self.stand_in, "--ninja", self.stand_in,
                               *words], env={**os.environ, "LOG": str(self.log)}, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, check=False)
        output = done.stdout + done.stderr
        self.assertEqual(done.returncode, code, output)
        self.assertEqual(self.toy.read_text().count("two and two"), 1)  # the sources stay as they are
        return output

    def test_a_fault_that_a_test_sees_is_caught_and_the_copy_restored(self):
        output = self.mutate(0, SEEN)
        self.assertRegex(output, r"caught +wrong-sum +unit 1")
        self.assertIn("1 of 1 faults were caught", output)
        self.assertEqual((self.root / "build/mutate/core/toy/toy.txt").read_text(), TOY)
        self.assertEqual(self.toy.read_text(), TOY)

    def test_in_place_the_sources_come_back(self):
        output = self.mutate(1, SEEN + UNSEEN, "--here")
        self.assertRegex(output, r"caught +wrong-sum +unit 1")
        self.assertIn("nothing catches other-comment", output)
        self.assertEqual(self.toy.read_text(), TOY)
        self.assertTrue((self.root / "build/release/toy.txt").is_file())
        self.assertFalse((self.root / "build/mutate").exists())

    def test_a_fault_that_nothing_sees_is_named(self):
        output = self.mutate(1, SEEN + UNSEEN)
        self.assertIn("1 of 2 faults were caught", output)
        self.assertTrue(output.endswith("nothing catches other-comment\n"), output)

    def test_a_stale_fault_is_named_before_anything_is_built(self):
        output = self.mutate(2, SEEN + FAULT.format("gone", "is 6", "is 7") + FAULT.format("twice", "two", "three"))
        self.assertRegex(output, r"fault 'gone': stale: its old text occurs 0 times in core/toy/toy.txt, and must occur once")
        self.assertRegex(output, r"fault 'twice': stale: its old text occurs 2 times")
        self.assertEqual(self.log.read_text(), "")

    def test_mistakes_in_the_list(self):
        self.assertIn("'colour' is no key", self.mutate(2, SEEN + 'colour = "red"\n'))
        self.assertIn("fault 'wrong-sum' is there 2 times", self.mutate(2, SEEN + SEEN))
        self.assertIn("it lacks new", self.mutate(2, SEEN.replace('new = "is 5"\n', "")))
        self.assertIn("no fault is called 'plugins'", self.mutate(2, SEEN, "plugins"))

    def test_a_fault_that_does_not_compile_is_no_catch(self):
        output = self.mutate(2, FAULT.format("typo", "is 4", "syntax"))
        self.assertIn("toy.txt:1: what is this?", output)
        self.assertIn("these do not compile: typo", output)

    def test_sources_that_fail_without_a_fault_prove_nothing(self):
        self.toy.write_text(TOY.replace("4", "3"))
        self.assertIn("unit: toy: sums & so on", self.mutate(2, FAULT.format("wrong-sum", "is 3", "is 5")))
        self.toy.write_text("syntax, two and two\nis 4\n")
        self.assertIn("do not build", self.mutate(4, SEEN))

    def test_only_what_differs_is_written_and_what_was_renamed_goes(self):
        self.mutate(0, SEEN)
        other, written = self.root / "build/mutate/core/toy/other.txt", self.root / "build/mutate/tests/mutations/mutations.md"
        other.write_text("of an earlier version\n")
        before = written.stat().st_mtime_ns
        self.mutate(0, SEEN)
        self.assertFalse(other.exists())
        self.assertEqual(written.stat().st_mtime_ns, before)

    def test_a_sample_is_the_same_for_the_same_seed(self):
        faults = "".join(FAULT.format(f"sum-{i}", "is 4", f"is 4{i}") for i in range(20))
        drawn = [self.mutate(0, faults, "--list", "--sample", "3", "--seed", seed) for seed in ("a", "a", "b")]
        self.assertEqual(len(drawn[0].splitlines()), 3)
        self.assertEqual(drawn[0], drawn[1])
        self.assertNotEqual(drawn[0], drawn[2])

    def test_the_table_says_of_each_fault_what_is_known(self):
        faults = SEEN + FAULT.format("other-sum", "two and two is 4", "two and two are four")
        self.mutate(0, faults, "--write", "other-sum")
        self.assertIn("2 faults: 1 caught, 1 not looked for yet.\n", self.page.read_text())
        self.assertIn("| wrong-sum | a sentence | not looked for yet |", self.page.read_text())
        self.mutate(0, faults, "--write", "wrong-sum")
        page = self.page.read_text()
        self.assertIn("2 faults: 2 caught.\n", page)
        self.assertIn("| wrong-sum | a sentence |  | toy: sums & so on |  |  |\n| other-sum |", page)
        self.assertTrue(page.endswith("<!-- end -->\nafter\n"))
        self.mutate(1, SEEN + UNSEEN.replace("other-comment", "other-sum"), "--write")
        self.assertIn("2 faults: 1 caught, 1 caught by nothing.\n", self.page.read_text())
        self.assertIn("| other-sum | a sentence | **nothing** |", self.page.read_text())
        self.mutate(0, SEEN, "--write")
        self.assertNotIn("other-sum", self.page.read_text())


class Shipped(unittest.TestCase):
    def test_every_fault_fits_the_sources_and_the_table_has_it(self):
        done = subprocess.run([sys.executable, "-B", TOOL, "--list"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        names = [line.split()[0] for line in done.stdout.splitlines()]
        self.assertGreaterEqual(len(names), 45)
        rows = re.findall(r"^\| ([a-z0-9-]+) \|", (SOURCE / "tests/mutations/mutations.md").read_text(), re.MULTILINE)
        self.assertEqual([row for row in rows if row not in ("key", "fault")], names)


if __name__ == "__main__":
    unittest.main()
