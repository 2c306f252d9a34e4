# SPDX-License-Identifier: Apache-2.0
"""The journal as a file: damaged, behind a link, changed by others, replaced by something else, or only to be read."""

import os
import sqlite3
import subprocess
import sys

from resume_case import ResumeCase


class JournalFile(ResumeCase):
    def test_a_damaged_journal_is_noticed_and_what_it_lost_is_done_again(self):
        study = self.study()
        self.undisturbed(study)
        self.expect(0, "run", study, "-o", "a.h5")
        journal = self.scratch / "a.h5.journal"
        whole = journal.read_bytes()
        place = whole.rindex(b"min_distance")
        journal.write_bytes(whole[:place] + b"M" + whole[place + 1:])
        self.assertRegex(self.expect(0, "run", study, "-o", "a.h5", "--plan"), "1 cell: record damaged")
        self.assertIn("1 of the journal's 8 cells had a wrong checksum and runs again", self.expect(0, "run", study, "-o", "a.h5"))
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
