"""Plugins that flee from whoever waits for them: they let themselves be traced, leave their process group, detach processes.
Every command comes back, sound cells keep their bits, and nothing lives on (`tearDown` looks at all processes of the folder)."""

import shutil
import signal
import subprocess
import time
import unittest

from misbehaving import STUDY, MisbehavingCase
from poslab_case import BINARY, BUILD, SOURCE, PoslabCase
from survival import processes_in, wait_until_alone

HANG = ["traced_and_spins", "traced_and_stops", "joins_parents_group", "traced_at_create", "joins_parents_group_at_create"]
LEAVE = ["detaches_a_child", "bears_a_sibling"]
HANG_ON_LOAD = ["traced_on_load", "joins_group_on_load"]


class Cells(MisbehavingCase):
    def test_cells_that_flee_time_out_and_the_others_keep_their_bits(self):
        for mode in HANG:
            with self.subTest(mode):
                self.run_with(mode, lengths="[8]", options=["--cell-time", "1"], output=f"{mode}.h5")
                self.expect_all(self.faulty("[8]", f"{mode}.h5"), "timeout", "did not come back within 1 s (--cell-time)")

    def test_processes_that_a_cell_detaches_are_gone_when_the_run_is(self):
        for mode in LEAVE:
            with self.subTest(mode):
                self.run_with(mode, code=0, output=f"{mode}.h5")
                self.assertEqual(processes_in(self.scratch), {})
                self.expect_all(self.faulty(output=f"{mode}.h5"), "ok", "")

    def test_describe_and_check_end_what_hangs_in_their_child(self):
        plugins = ["--plugins", BUILD / "faults/misbehaves"]
        for mode in ("traced_at_create", "joins_parents_group_at_create"):
            with self.subTest(mode):
                output = self.expect(2, "describe", "misbehaves", "--set", f"mode={mode}", "--time-limit", "2", *plugins)
                self.assertIn("describe: the plugin did not come back within 2 s (--time-limit)", output)
                output = self.expect(1, "check", "misbehaves", "--set", f"mode={mode}", "--time-limit", "1", "--only", "creates", *plugins)
                self.assertIn("did not come back within 1 s", output)

    def test_a_run_that_is_told_to_end_ends(self):
        study = self.study(STUDY.format(schemes='[[scheme]]\nuse = "misbehaves"\nset = { mode = "traced_and_stops" }', lengths="[8]"))
        host = subprocess.Popen([BINARY, "run", study, "-o", "a.h5", "--cell-time", "2", *self.plugins()], cwd=self.scratch,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while host.poll() is None and not (self.scratch / "a.h5.journal").exists():
            time.sleep(0.01)
        host.send_signal(signal.SIGTERM)
        self.assertIn(host.wait(timeout=120), (3, 130))


class Load(PoslabCase):
    def tearDown(self):
        self.assertEqual(wait_until_alone(self.scratch), {}, "processes live on")

    def put(self, *names):
        (self.scratch / "bad").mkdir(exist_ok=True)
        for name in names:
            shutil.copy(BUILD / f"faults/{name}/{name}.so", self.scratch / "bad")
        return ["--plugins", "bad"]

    def test_run_passes_over_what_hangs_on_loading(self):
        plugins = self.put(*HANG_ON_LOAD)
        study = self.study(STUDY.format(schemes='[[scheme]]\nuse = "rope"', lengths="[8]"))
        output = self.expect(0, "run", study, "-o", "a.h5", "--cell-time", "1", *plugins)
        for name in HANG_ON_LOAD:
            self.assertRegex(output, rf"passed over \S*bad/{name}.so: .*did not come back within 3 s")

    def test_list_and_describe_do_so_too(self):
        plugins = self.put("traced_on_load")
        self.assertRegex(self.expect(0, "list", *plugins), r"passed over \S*bad/traced_on_load.so: .*did not come back within 10 s")
        self.assertIn("base", self.expect(0, "describe", "rope", *plugins))

    def test_check_says_that_it_did_not_come_back(self):
        self.put(*HANG_ON_LOAD)
        for name in HANG_ON_LOAD:
            self.assertIn("did not come back within 1 s", self.expect(1, "check", f"bad/{name}.so", "--time-limit", "1"))

    def test_processes_detached_on_loading_are_gone_when_the_command_is(self):
        plugins = self.put("detaches_on_load")
        for command in (["list"], ["describe", "detaches-on-load"], ["check", "bad/detaches_on_load.so", "--only", "table"]):
            with self.subTest(command):
                self.expect(0, *command, *plugins)
                self.assertEqual(processes_in(self.scratch), {})

    def with_an_elder(self, *command):
        """A command of poslab in a process that has had a child before; what it said, and who lives on beside that child."""
        shell = '(sleep 300 & exec sleep 300) >/dev/null 2>&1 & echo $! >elder; exec "$0" "$@"'
        done = subprocess.run(["bash", "-c", shell, BINARY, *command], cwd=self.scratch, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        elder = int((self.scratch / "elder").read_text())
        left = processes_in(self.scratch)
        for process in left:
            subprocess.run(["kill", "-9", str(process)], check=False)
        self.assertEqual(left.pop(elder, ""), "sleep 300", "the shell's own job was killed")
        self.assertIn("sleep 300", left.values(), "what the shell's own job has started was killed")
        return done.stderr, {process for process, words in left.items() if words != "sleep 300"}

    def test_children_from_before_the_program_are_left_alone_and_nobody_else(self):
        plugins = self.put("detaches_on_load")
        said, left = self.with_an_elder("list", *plugins)
        self.assertEqual(left, set())
        self.assertNotIn("lives on", said)

    def test_who_cannot_be_told_from_an_elders_orphan_is_named(self):
        self.put("detaches_on_load")
        text = """
#include <unistd.h>
#define ENCODER_ID "forgets"
#include "encoder.h"
__attribute__((constructor)) static void escape(void) {
  if (fork() != 0) return;
  setsid();
  char *nothing[] = {NULL}, *words[] = {"sleep", "200", NULL};
  if (fork() == 0) execve("/bin/sleep", words, nothing);
  _exit(0);
}
"""
        subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", "bad/forgets.so", f"-I{SOURCE}/core/sdk/include",
                        f"-I{SOURCE}/tests/faults", "-lm"], input=text, text=True, cwd=self.scratch, check=True)
        said, left = self.with_an_elder("list", "--plugins", "bad")
        self.assertEqual(len(left), 1)
        self.assertIn(f"process {left.pop()} (sleep 200) lives on", said)
        self.expect(0, "list", "--plugins", "bad")
        self.assertEqual(processes_in(self.scratch), {})


if __name__ == "__main__":
    unittest.main()
