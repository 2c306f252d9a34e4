"""Whose code a plugin is: what it links against counts as its own, and whether anybody has ever checked it is said and kept."""

import json
import subprocess
import unittest

import h5py
from poslab_case import BUILD, SMALL_STUDY, SOURCE, PoslabCase

PLUGIN = r"""
#define ENCODER_ID "linked"
#include <poslab/plugin.h>
extern double added(void);
#include "encoder.h"
__attribute__((used)) static double keep(void) { return added(); }
double (*volatile poslab_test_keep)(void) __attribute__((visibility("hidden"))) = keep;
"""


class PluginCode(PoslabCase):
    def compile(self, text, output, *options):
        done = subprocess.run(["cc", "-shared", "-fPIC", "-fvisibility=hidden", "-x", "c", "-", "-o", output, *map(str, options)], input=text,
                              text=True, capture_output=True, cwd=self.scratch)
        self.assertEqual(done.returncode, 0, done.stderr)

    def helper(self, value):
        (self.scratch / "lib").mkdir(exist_ok=True)
        self.compile(f'__attribute__((visibility("default"))) double added(void) {{ return {value}; }}', "lib/libtables.so",
                     "-Wl,-soname,libtables.so")

    def plugin(self, runpath):
        (self.scratch / "own").mkdir(exist_ok=True)
        self.compile(PLUGIN, "own/linked.so", f"-I{SOURCE / 'core/sdk/include'}", f"-I{SOURCE / 'tests/faults'}", "-Llib", "-x", "none",
                     "-ltables", "-lm", f"-Wl,-rpath,{runpath},--enable-new-dtags")
        return ["--plugins", "own"]

    def test_a_library_that_a_plugin_loads_is_part_of_it(self):
        self.helper(1)
        plugins = self.plugin("$ORIGIN/../lib")
        study = self.study(SMALL_STUDY + '[[scheme]]\nuse = "linked"\n')
        self.expect(0, "run", study, "-o", "a.h5", *plugins)
        self.assertRegex(self.expect(0, "run", study, "-o", "a.h5", "--plan", *plugins), "10 cells: kept")
        with h5py.File(self.scratch / "a.h5") as file:
            entry = next(p for p in json.loads(file["provenance/plugins"].asstr()[()]) if p["id"] == "linked")
        self.assertEqual([library["file"].rsplit("/", 1)[1] for library in entry["linked"]], ["libtables.so"])
        (self.scratch / "own/another.so").write_bytes((self.scratch / "own/linked.so").read_bytes().replace(b"linked\0", b"friend\0"))
        self.assertRegex(self.expect(0, "run", study, "-o", "a.h5", "--plan", *plugins), "10 cells: kept")  # also if loaded second
        self.helper(2)
        plan = self.expect(0, "run", study, "-o", "a.h5", "--plan", "--verbose", *plugins)
        self.assertRegex(plan, "8 cells: kept")
        self.assertRegex(plan, r"linked .*: plugin changed: libtables.so [0-9a-f]{8}, done with [0-9a-f]{8}")
        self.assertIn("8 of 10 cells are kept", self.expect(0, "run", study, "-o", "a.h5", *plugins))

    def test_a_relative_runpath_fails_its_check(self):
        self.helper(1)
        self.plugin("$ORIGIN/../lib")
        self.assertRegex(self.expect(0, "check", "own/linked.so", "--only", "linking"), r"ok    linking .*\$ORIGIN/../lib")
        self.plugin("lib")
        self.assertRegex(self.expect(1, "check", "own/linked.so", "--only", "linking"), 'FAIL  linking .*its RUNPATH holds "lib"')

    def test_a_plugin_that_nobody_has_checked_is_named_until_somebody_does(self):
        plugins = ["--plugins", BUILD / "faults/toy"]
        study = self.study(SMALL_STUDY + '[[scheme]]\nuse = "toy"\n')
        self.assertIn("never checked in this build: toy;", self.expect((0, 3), "run", study, "-o", "a.h5", *plugins))
        self.assertEqual(self.kept_checks()["toy"], "never checked in this build")
        self.assertEqual(self.kept_checks()["rope"], "ships with poslab")
        output = self.expect((0, 3), "run", study, "-o", "a.h5", "--check-plugins", "--fresh", *plugins)
        self.assertIn("checked rope: passed\n", output)
        self.assertRegex(output, r"checked toy: (passed|failed: .+)\n")
        self.assertRegex(self.kept_checks()["toy"], "^(passed|failed: .+)$")
        self.assertEqual(self.kept_checks()["rope"], "passed")
        self.assertNotIn("never checked", self.expect((0, 3), "run", study, "-o", "a.h5", *plugins))

    def test_what_fails_its_checks_is_known_by_their_names(self):
        bad = BUILD / "faults/lies_relative"
        self.expect(1, "check", bad / "lies_relative.so")
        study = self.study(SMALL_STUDY + '[[scheme]]\nuse = "toy"\n')
        self.assertNotIn("never checked", self.expect((0, 3), "run", study, "-o", "a.h5", "--plugins", bad))
        self.assertRegex(self.kept_checks()["toy"], "^failed: ")

    def kept_checks(self):
        with h5py.File(self.scratch / "a.h5") as file:
            return json.loads(file["provenance/plugin_checks"].asstr()[()])


if __name__ == "__main__":
    unittest.main()
