"""Plugins that crash, hang, exit, print and eat without end: the run goes on, the faulty cells say what happened, the sound
ones are what they would have been, and nothing is left behind."""

import re
import os
import shutil
import signal
import subprocess
import time
import unittest

from misbehaving import SANITIZED, STUDY, MisbehavingCase
from poslab_case import BINARY, BUILD, PoslabCase
from survival import children_of, journal_rows, wait_until_alone

# What a mode of tests/faults/misbehaves.c ends as, and words of the message. Where a sanitizer sees it first, it ends the
# process with an exit code and words of its own.
DIES = {
    "segfault": "died of SIGSEGV (segmentation fault); its last words: misbehaves: about to fall",
    "abort": "died of SIGABRT (aborted); its last words: misbehaves: giving up",
    "divides_by_zero": "died of SIGFPE (floating point exception)",
    "illegal_instruction": "died of SIGILL (illegal instruction)",
    "bus_error": "died of SIGBUS (bus error)",
    "exit0": "ended its process with exit code 0",
    "exit3": "ended its process with exit code 3",
    "quick_exit": "ended its process with exit code 0",
    "closes_descriptors": "ended its process with exit code 1",
    "writes_descriptor_3": "wrote into the connection between worker and host",
    "corrupts_heap": "died of SIG",
    "overflows_stack": "died of SIGSEGV (segmentation fault)",
    "kills_itself": "died of SIGKILL (killed)",
    "crashes_at_create": "died of SIGSEGV (segmentation fault)",
    "exits_at_create": "ended its process with exit code 0",
}
SEEN_BY_SANITIZERS = {"segfault", "abort", "divides_by_zero", "overflows_stack"}
SPEAKS = {
    "changes_rounding": ("failed", 'encode: the plugin changed the floating-point mode from rounding to nearest'),
    "flushes_denormals": ("failed", "the plugin changed the floating-point mode"),
    "rounds_up_at_create": ("failed", "the plugin changed the floating-point mode"),
    "throws": ("failed", "threw an exception across the C boundary: thrown across"),
    "fails_with_words": ("failed", "my table of secrets is gone"),
    "refuses_with_words": ("skipped", "I do not feel like it today"),
}
# Wrong in a way that hurts nobody here: the numbers are right.
HARMLESS = ["behaves", "rounds_up_at_destroy", "forks_and_sleeps", "leaves_a_thread", "changes_directory", "fills_disk"]


class Containment(MisbehavingCase):
    def test_a_plugin_that_ends_its_process_harms_only_its_own_cells(self):
        for mode, words in DIES.items():
            if SANITIZED and mode == "corrupts_heap":
                continue  # between arrays a sanitizer's heap has room, so nothing is corrupted: the release build has this one
            with self.subTest(mode):
                self.run_with(mode, lengths="[8, 12]", output=f"{mode}.h5")
                seen = SANITIZED and mode in SEEN_BY_SANITIZERS
                cells = self.faulty("[8, 12]", f"{mode}.h5")
                self.expect_all(cells, "crashed", "" if seen else words)
                self.expect_all(cells, "crashed", "plugin misbehaves (")

    def test_a_plugin_that_says_what_is_wrong_is_quoted(self):
        for mode, (status, words) in SPEAKS.items():
            with self.subTest(mode):
                self.run_with(mode, code=3 if status == "failed" else 0, output=f"{mode}.h5")
                self.expect_all(self.faulty(output=f"{mode}.h5"), status, words)

    def test_bad_manners_change_no_number(self):
        for mode in HARMLESS:
            with self.subTest(mode):
                # one thread: the sound are performed by the very thread that the plugin has spoilt
                self.run_with(mode, code=0, options=["--threads", "1"], output=f"{mode}.h5")
                self.expect_all(self.faulty(output=f"{mode}.h5"), "ok", "")

    def test_what_a_plugin_does_to_its_process_reaches_no_other_plugin(self):
        for mode in ("changes_rounding", "rounds_up_at_create", "rounds_up_at_destroy", "lowers_limits", "changes_directory", "blocks_signals"):
            for options in (["--threads", "1"], ["--threads", "4", "--workers", "2"]):
                with self.subTest(mode, options=options):
                    self.run_with(mode, code=(0, 3), output=f"{mode}.h5", options=[*options, "--fresh", "--cell-time", "3"], lengths="[8]")
                    self.faulty("[8]", f"{mode}.h5")

    def test_where_the_journal_is_deleted_nobody_says_that_all_is_safe(self):
        lengths = str([8, *range(1500, 1520)])
        output = self.run_with("deletes_journal", lengths=lengths, only_at=1519, code=(0, 4), options=["--threads", "1"])
        if "poslab: the run stops here" in output:  # else it was the last to be written
            self.assertRegex(output, "deleted")
            self.assertNotIn("nothing that was reported done is lost", output)
        for name in ("a.h5.journal-journal", "a.h5.journal-lock"):
            (self.scratch / name).unlink(missing_ok=True)
        self.run_with("behaves", lengths=lengths, only_at=1519, code=0, options=["--fresh"])
        self.expect_all(self.faulty(lengths), "ok", "")

    def test_no_worker_writes_files(self):
        self.run_with("fills_disk", code=0)
        filled = self.scratch / "filled-by-misbehaves"
        self.assertEqual(filled.stat().st_size if filled.exists() else 0, 0)

    def test_memory_has_a_limit(self):
        if SANITIZED:
            self.skipTest("a sanitizer's shadow memory would count, so workers of that build have no limit; the release build has")
        self.run_with("eats_memory", lengths="[8]", options=["--memory", "100MB"])
        cell = self.faulty("[8]").popitem()[1]
        self.assertEqual(cell[0], "crashed")
        eaten = int(cell[1].partition("no more memory after ")[2].split()[0])
        self.assertLess(eaten, 1024, "more than --memory and what a worker needs besides")

    def test_a_gigabyte_of_chatter_does_not_drown_what_the_run_says(self):
        output = self.run_with("prints_gigabyte", lengths="[8]", code=0)
        self.assertLess(len(output), 10000)
        self.assertIn("15 cells ok", output)
        self.expect_all(self.faulty("[8]"), "ok", "")

    def test_a_crash_that_comes_too_late_to_be_blamed_costs_nobody_anything(self):
        lengths = "[8, 12, 16, 1500, 1501, 1502, 1503, 1504, 1505, 1506]"
        self.run_with("crashes_later", lengths=lengths, only_at=1506, code=0, options=["--threads", "1"])
        self.expect_all(self.faulty(lengths), "ok", "")

    def test_one_bad_length_leaves_the_others_of_the_same_plugin(self):
        self.run_with("segfault", only_at=12)
        cells = self.faulty()
        self.assertEqual({length: cell[0] for (_, length, _), cell in cells.items()}, {8: "ok", 12: "crashed", 16: "ok"})

    def test_after_three_crashes_a_plugin_is_quarantined_by_the_hash_of_its_file(self):
        (self.scratch / "t.toml").write_text("a text that no cell here needs")
        output = self.run_with("segfault", "abort", lengths="[8, 9, 10, 11, 12, 13]", options=["--data", "text=t.toml"])
        cells = self.faulty("[8, 9, 10, 11, 12, 13]")
        crashed = [cell for cell in cells.values() if cell[0] == "crashed"]
        aside = [cell for cell in cells.values() if cell[0] == "failed"]
        self.assertEqual((len(crashed), len(aside)), (3, 9))
        self.assertIn("quarantined for this run", aside[0][1])
        self.assertRegex(output, r"misbehaves was quarantined.*\n.*poslab run .*a.h5.toml --only misbehaves --in-process"
                                 rf" --plugins {BUILD}/faults/misbehaves .*--data text=t.toml -o misbehaves-alone.h5")

    def test_kills_from_outside_are_told_as_that_and_are_not_counted_to_the_plugin(self):
        output = self.run_with("kills_itself", lengths="[8, 9, 10, 11]")
        self.assertNotIn("quarantined", output)
        words = r"died of SIGKILL \(killed\).*; poslab did not send that signal, and (the kernel's count of memory kills|whether)"
        cells = self.faulty("[8, 9, 10, 11]")
        self.assertGreater(len(cells), 3)
        for status, message, *_ in cells.values():
            self.assertEqual(status, "crashed")
            self.assertRegex(message, words)

    def test_what_crashed_runs_again_when_the_run_does(self):
        self.run_with("segfault", lengths="[8, 12]")
        before = journal_rows(self.scratch / "a.h5")
        output = self.run_with("segfault", lengths="[8, 12]")
        self.assertIn("28 of 30 cells are kept", output)
        after = journal_rows(self.scratch / "a.h5")
        self.assertEqual({row for row in before.values() if "ok" in row}, {row for row in after.values() if "ok" in row})

    def test_in_process_the_plugin_takes_the_program_with_it_for_a_debugger_to_see(self):
        done = self.poslab("run", self.study(STUDY.format(schemes='[[scheme]]\nuse = "misbehaves"\nset = { mode = "abort" }',
                                                          lengths="[8]")),
                           "--plugins", BUILD / "faults/misbehaves", "--in-process", "-o", "a.h5")
        self.assertTrue(done.returncode == -signal.SIGABRT or SANITIZED, done)
        self.assertIn("misbehaves: giving up", done.stderr)
        for name in ("a.h5.journal-journal", "a.h5.journal-lock"):  # of a killed run; the next one clears them away
            (self.scratch / name).unlink(missing_ok=True)

    def test_workers_end_when_the_host_is_killed(self):
        study = self.study(STUDY.format(schemes='[[scheme]]\nuse = "misbehaves"\nset = { mode = "ignores_signals" }',
                                        lengths="[8, 9]"))
        host = subprocess.Popen([BINARY, "run", study, "-o", "a.h5", "--plugins", BUILD / "faults/misbehaves"],
                                cwd=self.scratch, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while host.poll() is None and not children_of(host.pid):
            time.sleep(0.01)
        time.sleep(0.5)  # so that, mostly, it is in the plugin
        self.assertIsNone(host.poll())
        host.kill()
        host.wait()
        self.assertEqual(wait_until_alone(self.scratch), {})
        for name in ("a.h5.journal-journal", "a.h5.journal-lock"):
            (self.scratch / name).unlink(missing_ok=True)


class Scan(PoslabCase):
    """Libraries that do harm when they are opened are named; the others are offered."""

    ENDS = {"crashes_on_load": "crashes-on-load: opened", "exits_on_load": "exit code 0"}

    def put(self, folder, *names):
        (self.scratch / folder).mkdir()
        for name in names:
            shutil.copy(BUILD / f"faults/{name}/{name}.so", self.scratch / folder)
        return ["--plugins", self.scratch / folder]

    def tearDown(self):
        self.assertEqual(wait_until_alone(self.scratch), {}, "processes live on")

    def test_list_describe_and_run_pass_over_what_crashes(self):
        plugins = self.put("bad", *self.ENDS, "toy")
        library = (BUILD / "plugins/rope.so").read_bytes()
        (self.scratch / "bad/cut.so").write_bytes(library[:len(library) // 2])  # reading beyond its end is a SIGBUS
        study = self.study(STUDY.format(schemes='[[scheme]]\nuse = "toy"\n[[scheme]]\nuse = "rope"', lengths="[8]"))
        for arguments in (["list"], ["run", study, "-o", "a.h5"]):
            output = self.expect(0, *arguments, *plugins)
            for name, words in self.ENDS.items():
                self.assertRegex(output, rf"passed over \S*bad/{name}.so: loading it ended the worker process: .*{'' if SANITIZED else words}")
            self.assertIn("bad/cut.so", output)
            self.assertIn("rope", output)
            self.assertIn("toy", output)
        self.assertIn("Toy", self.expect(0, "describe", "toy", *plugins))
        self.assertIn("base", self.expect(0, "describe", "rope", *plugins))

    def test_the_same_bytes_elsewhere_are_not_loaded_again(self):
        first, second = self.put("first", "crashes_on_load"), self.put("second", "crashes_on_load")
        output = self.expect(0, "list", *first, *second)
        self.assertRegex(output, r"second/crashes_on_load.so: .*the same bytes did it before")

    def test_a_library_whose_loading_changes_the_process_is_refused_and_harms_nobody(self):
        plugins = self.put("bad", "changes_on_load", "toy")
        study = self.study(STUDY.format(schemes='[[scheme]]\nuse = "toy"\n[[scheme]]\nuse = "rope"', lengths="[8, 12]"))
        self.expect(0, "run", study, "-o", "undisturbed.h5", *plugins)
        for change, name in {
                "rounding": "the floating-point mode (from rounding to nearest", "denormals": "-Ofast", "traps": "the floating-point mode",
                "address_space": "the limit RLIMIT_AS", "descriptors": "the limit RLIMIT_NOFILE", "mask": "whether SIGTERM is blocked",
                "handler": "what happens at SIGSEGV", "locale": "the locale", "directory": "the working directory", "umask": "the umask",
                "environment": "the environment"}.items():
            with self.subTest(change):
                if SANITIZED and change in ("address_space", "descriptors", "handler", "traps"):
                    continue  # the sanitizer's own runtime needs them, and ends the process
                environment = {"POSLAB_TEST_ON_LOAD": change}
                output = self.expect(0, "run", study, "-o", "a.h5", "--fresh", "--workers", "2", *plugins, environment=environment)
                self.assertRegex(output, r"passed over \S*changes_on_load.so: loading it changes what others compute with: .*" + re.escape(name))
                self.assertIn("0 differences", self.expect(0, "compare", "--exact", "undisturbed.h5", "a.h5"))
                self.assertIn("changes what others compute with",
                              self.expect((1, 2), "check", self.scratch / "bad/changes_on_load.so", environment=environment))
    def test_what_is_no_file_beside_one_that_crashes_keeps_nobody_waiting(self):
        plugins = self.put("bad", "crashes_on_load", "toy")
        os.mkfifo(self.scratch / "bad/fifo.so")
        os.mkfifo(self.scratch / "bad/a-fifo.so")
        (self.scratch / "bad/zero.so").symlink_to("/dev/zero")
        study = self.study(STUDY.format(schemes='[[scheme]]\nuse = "toy"', lengths="[8]"))
        for command in (["list"], ["run", study, "-o", "a.h5"]):
            output = self.expect(0, *command, *plugins)
            self.assertRegex(output, r"passed over \S*bad/fifo.so: is a FIFO, not a regular file")
            self.assertRegex(output, r"passed over \S*bad/a-fifo.so: is a FIFO, not a regular file")
            self.assertRegex(output, r"passed over \S*bad/zero.so: is a device, not a regular file")
        self.assertIn("is a FIFO, not a regular file", self.expect(1, "check", "bad/fifo.so"))
        self.assertIn("is a FIFO, not a regular file", self.expect(2, "run", "bad/fifo.so"))
        self.assertIn("is a FIFO, not a regular file", self.expect(2, "compare", "bad/fifo.so", "bad/fifo.so"))

    def test_a_library_that_hangs_is_given_up(self):
        plugins = self.put("bad", "hangs_on_load")
        study = self.study(STUDY.format(schemes='[[scheme]]\nuse = "rope"', lengths="[8]"))
        output = self.expect(0, "run", study, "-o", "a.h5", "--cell-time", "1", *plugins)
        self.assertRegex(output, r"passed over \S*hangs_on_load.so: .*did not come back within 3 s")

    def test_a_library_that_prints_is_heard_by_nobody(self):
        import json
        done = self.poslab("list", "--json", *self.put("bad", "prints_on_load"))
        self.assertIn("prints-on-load", [scheme["id"] for scheme in json.loads(done.stdout)["schemes"]])
        self.assertNotIn("hello", done.stderr)


if __name__ == "__main__":
    unittest.main()
