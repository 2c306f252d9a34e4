"""A run that was killed, interrupted, changed or begun twice goes on from its journal, and ends as if nothing had happened."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

from poslab_case import BINARY, BUILD, SMALL_STUDY, PoslabCase
from survival import is_sanitized

# Some seconds of cells of some milliseconds, ten times as many under a sanitizer.
LAST = 1000 if is_sanitized(BINARY) else 1400
LONGER_STUDY = SMALL_STUDY.replace("[8, 16]", f"{{ range = [900, {LAST}, 1] }}")
CELLS = 4 * (LAST - 900 + 1)
TOYS = """
format = 1
title = "toys"
[model]
d_model = 8
heads = 2
[[scheme]]
use = "toy"
set = { mode = "plain" }
[[scheme]]
use = "toy"
set = { mode = "gives_nan" }
[[scheme]]
use = "sinusoidal"
[[experiment]]
use = "norm-preservation"
repeats = 1
[experiment.axes]
length = [4, 5]
"""


class Resume(PoslabCase):
    def start(self, study, *arguments):
        process = subprocess.Popen([BINARY, "run", study, "--threads", "1", *arguments], cwd=self.scratch, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def status(self, code, *files):
        done = self.poslab("status", *files, "--json")
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def wait_for_cells(self, output, count):
        """Looks at the journal, as a person would, until so many cells are done; returns what it said then."""
        for _ in range(3000):
            done = self.poslab("status", output, "--json")
            self.assertNotIn("locked", done.stderr)
            if done.returncode in (0, 3, 4) and json.loads(done.stdout)["sum"]["ok"] >= count:
                return json.loads(done.stdout)
            time.sleep(0.02)
        self.fail("the run does not get on")

    def hold(self, process, output):
        """Stops a run, but not where it keeps everybody from its journal, in a commit."""
        for _ in range(10):
            process.send_signal(signal.SIGSTOP)
            if self.poslab("status", output).returncode == 4:
                return
            process.send_signal(signal.SIGCONT)
            self.assertIsNone(process.poll(), "the run ended too soon")
            time.sleep(0.05)
        self.fail("the run cannot be held")

    def undisturbed(self, study):
        self.expect(0, "run", study, "-o", "undisturbed.h5")

    def assert_as_undisturbed(self, output):
        self.assertIn("equal bit for bit", self.expect(0, "compare", "--exact", "undisturbed.h5", output))

    def test_killed_and_run_again_it_ends_as_if_nothing_had_happened(self):
        study = self.study(LONGER_STUDY)
        process = self.start(study, "-o", "a.h5")
        seen = self.wait_for_cells("a.h5", 20)
        process.kill()
        process.wait()
        self.assertFalse((self.scratch / "a.h5").exists())
        self.assertTrue((self.scratch / "a.h5.journal-lock").exists())
        kept = self.status(4, "a.h5")
        self.assertGreaterEqual(kept["sum"]["ok"], seen["sum"]["ok"])
        self.assertIsNone(kept["journals"][0]["writer"])
        output = self.expect(0, "run", study, "-o", "a.h5")
        self.assertRegex(output, rf"{kept['sum']['ok']} of {CELLS} cells are kept from an earlier run")
        self.undisturbed(study)
        self.assert_as_undisturbed("a.h5")
        self.assertEqual(self.status(0, "a.h5")["sum"]["left"], 0)

    def test_ctrl_c_and_run_again(self):
        study = self.study(LONGER_STUDY)
        process = self.start(study, "-o", "a.h5")
        self.wait_for_cells("a.h5", 20)
        process.send_signal(signal.SIGINT)
        self.assertIn("not run", process.communicate(timeout=120)[0])
        self.assertEqual(process.returncode, 130)
        self.assertIn("cells are kept", self.expect(0, "run", study, "-o", "a.h5"))
        self.undisturbed(study)
        self.assert_as_undisturbed("a.h5")

    def test_the_second_run_of_one_file_is_told_who_has_it_and_touches_nothing(self):
        study = self.study(LONGER_STUDY)
        process = self.start(study, "-o", "a.h5")
        running = self.wait_for_cells("a.h5", 5)
        self.hold(process, "a.h5")
        self.assertIn(f"process {process.pid} on ", running["journals"][0]["writer"])
        self.assertEqual(running["journals"][0]["planned"], CELLS)
        for arguments in ([], ["--fresh"]):
            output = self.expect(75, "run", study, "-o", "a.h5", *arguments)
            self.assertIn(f"a.h5.journal: another process is writing this file, process {process.pid} on ", output)
        self.assertIn(f"written by process {process.pid}", self.expect(4, "status", "a.h5"))
        process.send_signal(signal.SIGCONT)
        output = process.communicate(timeout=120)[0]
        self.assertEqual(process.returncode, 0, output)
        self.assertFalse((self.scratch / "a.h5.journal-lock").exists())
        self.assertEqual(self.status(0, "a.h5")["sum"]["ok"], CELLS)

    def test_a_study_that_grew_is_a_resume_and_another_study_is_refused(self):
        self.expect(0, "run", self.study(), "-o", "a.h5")
        grown = self.study(SMALL_STUDY.replace("[8, 16]", "[8, 16, 24]"))
        output = self.expect(0, "run", grown, "-o", "a.h5", "--plan")
        self.assertRegex(output, "8 cells: kept")
        self.assertRegex(output, "4 cells: new")
        self.assertIn("8 of 12 cells are kept", self.expect(0, "run", grown, "-o", "a.h5"))
        self.undisturbed(grown)
        self.assert_as_undisturbed("a.h5")
        self.assertIn("8 cells more are in the journal",
                      self.expect(0, "run", self.study(SMALL_STUDY.replace("[8, 16]", "[24]")), "-o", "a.h5", "--plan"))
        other = self.study(SMALL_STUDY.replace("[8, 16]", "[9]"))
        before = (self.scratch / "a.h5").read_bytes()
        self.assertIn("knows no cell of this one", self.expect(2, "run", other, "-o", "a.h5"))
        self.assertEqual((self.scratch / "a.h5").read_bytes(), before)
        self.expect(0, "run", other, "-o", "a.h5", "--fresh")
        self.assertEqual(self.status(0, "a.h5")["sum"]["planned"], 4)

    def test_fresh_forgets_what_was_done(self):
        study = self.study()
        self.expect(0, "run", study)
        self.assertIn("8 of 8 cells are kept", self.expect(0, "run", study))
        self.assertRegex(self.expect(0, "run", study, "--plan", "--fresh"), "8 cells: new")
        self.assertNotIn("are kept", self.expect(0, "run", study, "--fresh"))

    def test_plan_says_why_each_cell_would_run(self):
        plugins = self.scratch / "plugins"
        plugins.mkdir()
        toy = (BUILD / "faults/toy/toy.so").read_bytes()
        (plugins / "toy.so").write_bytes(toy)
        study = self.study(TOYS)
        options = ["--plugins", plugins, "-o", "a.h5"]
        self.expect(3, "run", study, *options)
        self.assertEqual(self.status(3, "a.h5")["sum"]["failed"], 2)

        def plan(study):
            return self.expect(0, "run", study, *options, "--plan", "--verbose")

        self.assertRegex(plan(study), "4 cells: kept\n +2 cells: failed before")
        self.assertRegex(self.expect(3, "run", study, *options), "4 of 6 cells are kept")
        (plugins / "toy.so").write_bytes(toy + b"other bytes, same code")
        changed = plan(study)
        self.assertRegex(changed, "2 cells: kept\n +2 cells: failed before\n +2 cells: plugin changed")
        self.assertRegex(changed, r"norm-preservation of toy\(mode=plain\) .*length=4.*: plugin changed: [0-9a-f]{8}, done with [0-9a-f]{8}")
        self.assertIn("norm-preservation of sinusoidal", changed)
        self.expect(3, "run", study, *options)
        self.assertRegex(plan(study), "4 cells: kept")
        self.assertEqual(toy.count(b"\x001.0\x00"), 1, "the toy's version is no longer a word of its own")
        (plugins / "toy.so").write_bytes(toy.replace(b"\x001.0\x00", b"\x001.1\x00"))
        self.assertRegex(plan(study), "scheme version changed: 1.1, done with 1.0")
        self.assertRegex(plan(study), "2 cells: kept\n +4 cells: scheme version changed")
        seeded = self.study(TOYS.replace('title', 'seed = 99\ntitle'), "seeded.toml")
        self.assertRegex(plan(seeded), "2 cells: seed changed")
        self.assertIn("seed changed: 99, done with ", plan(seeded))

    def test_status_of_what_is_not_there_of_shards_and_of_a_study(self):
        self.assertIn("none.h5.journal: there is no such journal", self.expect(2, "status", "none.h5"))
        self.expect(0, "run", self.study())
        self.assertIn("study.h5.journal: complete", self.expect(0, "status", "study.toml"))
        for shard in (1, 3):
            shutil.copy(self.scratch / "study.h5.journal", self.scratch / f"b.{shard}-of-4.h5.journal")
        output = self.expect(4, "status", "b.h5")
        self.assertRegex(output, r"all +16 +16 +0")
        self.assertIn("2 of 4 shards of b.h5 have not begun: 2 and 4", output)
        self.assertEqual(self.status(0, "b.1-of-4.h5", "b.3-of-4.h5.journal")["sum"]["ok"], 16)

    def test_a_damaged_journal_is_noticed_and_what_it_lost_is_done_again(self):
        study = self.study()
        self.undisturbed(study)
        self.expect(0, "run", study, "-o", "a.h5")
        journal = self.scratch / "a.h5.journal"
        whole = journal.read_bytes()
        place = whole.rindex(b"min_distance")
        journal.write_bytes(whole[:place] + b"M" + whole[place + 1:])
        self.assertRegex(self.expect(0, "run", study, "-o", "a.h5", "--plan"), "1 cells: record damaged")
        self.assertIn("1 of the journal's 8 cells had a wrong checksum and run again", self.expect(0, "run", study, "-o", "a.h5"))
        self.assert_as_undisturbed("a.h5")
        journal.write_bytes(whole[:5000])
        self.assertIn("the next run keeps it aside", self.expect(2, "status", "a.h5"))
        self.assertIn("a.h5.journal.corrupt", self.expect(0, "run", study, "-o", "a.h5"))
        self.assert_as_undisturbed("a.h5")
        self.assertEqual((self.scratch / "a.h5.journal.corrupt").stat().st_size, 5000)

    def test_a_link_and_the_file_that_it_leads_to_have_one_journal(self):
        study = self.study()
        (self.scratch / "far").mkdir()
        (self.scratch / "link.h5").symlink_to("far/a.h5")  # which is not there yet
        self.expect(0, "run", study, "-o", "link.h5")
        self.assertTrue((self.scratch / "far/a.h5.journal").exists())
        self.assertTrue((self.scratch / "link.h5").is_symlink())
        self.assertEqual(self.status(0, "link.h5")["sum"]["ok"], 8)
        self.assertIn("8 of 8 cells are kept", self.expect(0, "run", study, "-o", "far/a.h5"))

    def test_a_cell_that_is_done_needs_no_memory(self):
        study = self.study(SMALL_STUDY.replace("[8, 16]", "[8, 4000]"))
        self.expect(0, "run", study, "-o", "a.h5")
        grown = self.study(SMALL_STUDY.replace("[8, 16]", "[8, 9, 4000]"))
        output = self.expect(0, "run", grown, "-o", "a.h5", "--memory", "1MB")
        self.assertIn("8 of 12 cells are kept", output)
        refused = ["run", grown, "-o", "b.h5", "--memory", "1MB"]
        self.assertIn("is estimated to need", self.expect(2, *refused))
        self.assertRegex(self.expect(0, *refused, "--plan"), "Nothing would run, as things stand: .* is estimated to need")

    def test_a_narrower_run_says_what_is_not_in_its_results(self):
        study = self.study()
        self.expect(0, "run", study, "-o", "a.h5")
        self.assertIn("4 cells more are in the journal, of what was asked before; they stay there, and are not in the results",
                      self.expect(0, "run", study, "-o", "a.h5", "--axis", "length=8"))

    def test_a_journal_with_more_in_it_than_we_made_is_refused(self):
        study = self.study()
        self.expect(0, "run", study, "-o", "a.h5")
        journal = self.scratch / "a.h5.journal"
        whole = journal.read_bytes()
        added = {"trigger": "CREATE TRIGGER more BEFORE INSERT ON cells BEGIN SELECT raise(ignore); END",
                 "index": "CREATE UNIQUE INDEX more ON cells(experiment, variant, axes)",
                 "view": "CREATE VIEW more AS SELECT 1"}
        for kind, statement in added.items():
            connection = sqlite3.connect(journal)
            connection.execute(statement)
            connection.commit()
            connection.close()
            for command in (["run", study, "-o", "a.h5"], ["run", study, "-o", "a.h5", "--plan"], ["status", "a.h5"]):
                self.assertIn(f'has a {kind} "more" that poslab did not make', self.expect(2, *command))
            journal.write_bytes(whole)
        (self.scratch / "a.h5.journal").unlink()
        os.mkfifo(self.scratch / "a.h5.journal")
        for command in (["run", study, "-o", "a.h5"], ["run", study, "-o", "a.h5", "--fresh"], ["status", "a.h5"]):
            self.assertIn("is a FIFO, not a regular file", self.expect(2, *command))
        journal.unlink()
        journal.write_bytes(whole)
        connection = sqlite3.connect(journal)
        connection.executescript("ALTER TABLE cells RENAME TO others; CREATE VIEW cells AS WITH RECURSIVE x(n) AS"
                                 " (SELECT 1 UNION ALL SELECT n + 1 FROM x) SELECT others.* FROM others, x")
        connection.close()
        self.expect(2, "status", "a.h5")
        self.assertIn("a.h5.journal.corrupt", self.expect(0, "run", study, "-o", "a.h5"))

    def test_what_stands_in_place_of_lock_or_journal_is_neither_followed_nor_waited_for(self):
        study = self.study()
        victim, lock = self.scratch / "victim", self.scratch / "a.h5.journal-lock"
        victim.write_text("precious")
        lock.symlink_to(victim)
        self.assertIn("is a link, not a regular file", self.expect(2, "run", study, "-o", "a.h5"))
        self.assertEqual(victim.read_text(), "precious")
        lock.unlink()
        self.expect(0, "run", study, "-o", "a.h5")
        os.mkfifo(lock)
        self.expect(0, "status", "a.h5")
        self.assertIn("is a FIFO, not a regular file", self.expect(2, "run", study, "-o", "a.h5"))
        lock.unlink()
        os.mkfifo(self.scratch / "a.h5.journal-journal")
        for command in (["run", study, "-o", "a.h5"], ["run", study, "-o", "a.h5", "--plan"], ["status", "a.h5"]):
            self.assertIn("is a FIFO, not a regular file", self.expect(2, *command))
        (self.scratch / "a.h5.journal-journal").unlink()
        (self.scratch / "a.h5.journal").unlink()
        os.mkfifo(self.scratch / "a.h5.journal")
        for command in (["run", study, "-o", "a.h5"], ["run", study, "-o", "a.h5", "--fresh"], ["status", "a.h5"]):
            self.assertIn("is a FIFO, not a regular file", self.expect(2, *command))

    def test_ctrl_c_that_was_ignored_stays_so(self):
        study = self.study(LONGER_STUDY)
        process = subprocess.Popen(["bash", "-c", 'trap "" INT HUP; exec "$0" run "$1" -o a.h5', BINARY, study], cwd=self.scratch,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait_for_cells("a.h5", 20)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGHUP)
        self.assertEqual(process.wait(), 0)

    def test_a_plugin_that_is_set_aside_takes_no_older_record_with_it(self):
        study = self.study(SMALL_STUDY.replace("[8, 16]", "[8, 9, 10, 11, 12, 16]") +
                           '[[scheme]]\nuse = "misbehaves"\nset = { mode = "leaves_a_thread" }\n')
        good, bad = self.scratch / "good", self.scratch / "bad"
        for folder in (good, bad):
            folder.mkdir()
        shutil.copy(BUILD / "faults/misbehaves/misbehaves.so", good)
        # A build of the plugin that crashes: two modes have changed places.
        swapped = (good / "misbehaves.so").read_bytes().replace(b"leaves_a_thread", b"?" * 15)
        swapped = swapped.replace(b"divides_by_zero", b"leaves_a_thread").replace(b"?" * 15, b"divides_by_zero")
        (bad / "misbehaves.so").write_bytes(swapped)
        self.expect(0, "run", study, "-o", "a.h5", "--plugins", good)
        shutil.copy(self.scratch / "a.h5", self.scratch / "undisturbed.h5")
        output = self.expect(3, "run", study, "-o", "a.h5", "--plugins", bad)
        self.assertIn("3 crashed", output)
        self.assertIn("3 failed", output)
        self.assertEqual(self.status(4, "a.h5")["sum"]["left"], 3)
        plan = self.expect(0, "run", study, "-o", "a.h5", "--plugins", good, "--plan")
        self.assertRegex(plan, "27 cells: kept")
        self.assertRegex(plan, "3 cells: crashed before")
        self.expect(0, "run", study, "-o", "a.h5", "--plugins", good)
        self.assert_as_undisturbed("a.h5")

    def test_somebody_who_may_only_read_can_look(self):
        if os.geteuid() != 0:
            self.skipTest("needs root, to look as somebody else: run the tests with sudo")
        try:
            self.expect(0, "--version", user="nobody", cwd="/")
        except PermissionError:
            self.skipTest("nobody may not start this build: build it where others may read")
        study = self.study()
        self.scratch.chmod(0o755)
        self.expect(0, "run", study, "-o", "a.h5")
        self.expect(0, "status", "a.h5", user="nobody")
        self.assertIn("8 cells: kept", self.expect(0, "run", study, "-o", "a.h5", "--plan", user="nobody"))
        half = """import os, sqlite3, signal
journal = sqlite3.connect("a.h5.journal", isolation_level=None)
journal.execute("PRAGMA cache_size = 1")
journal.execute("BEGIN")
journal.execute("UPDATE cells SET outcome = zeroblob(9000)")
os.kill(os.getpid(), signal.SIGKILL)"""
        subprocess.run([sys.executable, "-c", half], cwd=self.scratch)
        self.assertGreater((self.scratch / "a.h5.journal-journal").stat().st_size, 0)
        self.assertIn("only who may write here can look at it now", self.expect(2, "status", "a.h5", user="nobody"))
        self.expect(0, "status", "a.h5")
        self.expect(0, "status", "a.h5", user="nobody")
        self.assertIn("8 of 8 cells are kept", self.expect(0, "run", study, "-o", "a.h5"))
