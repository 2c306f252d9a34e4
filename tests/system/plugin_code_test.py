"""Whose code a plugin is: what it links against counts as its own, and whether anybody has ever checked it is said and kept."""

import json
import struct
import unittest

import h5py
from linked_plugin import LinkedPluginCase
from poslab_case import BUILD, SMALL_STUDY


class PluginCode(LinkedPluginCase):
    def test_a_library_that_a_plugin_loads_is_part_of_it(self):
        self.library(1)
        plugins = self.plugin("$ORIGIN/../lib")
        study = self.study(SMALL_STUDY + '[[scheme]]\nuse = "linked"\n')
        self.expect(0, "run", study, "-o", "a.h5", *plugins)
        self.assertRegex(self.expect(0, "run", study, "-o", "a.h5", "--plan", *plugins), "10 cells: kept")
        self.assertEqual(self.linked(), ["libtables.so"])
        (self.scratch / "own/another.so").write_bytes((self.scratch / "own/linked.so").read_bytes().replace(b"linked\0", b"friend\0"))
        self.assertRegex(self.expect(0, "run", study, "-o", "a.h5", "--plan", *plugins), "10 cells: kept")  # also if loaded second
        self.library(2)
        plan = self.expect(0, "run", study, "-o", "a.h5", "--plan", "--verbose", *plugins)
        self.assertRegex(plan, "8 cells: kept")
        self.assertRegex(plan, r"linked .*: plugin changed: libtables.so [0-9a-f]{8}, done with [0-9a-f]{8}")
        self.assertIn("8 of 10 cells are kept", self.expect(0, "run", study, "-o", "a.h5", *plugins))

    def expect_part_of_the_plugin(self, name, change):
        """The library `name` is recorded as the plugin's own, and once it has changed, the plugin's cells run again."""
        plugins, study = ["--plugins", "own"], self.study(SMALL_STUDY + '[[scheme]]\nuse = "linked"\n')
        self.expect(0, "run", study, "-o", "a.h5", *plugins)
        self.assertIn(name, self.linked())
        self.assertRegex(self.expect(0, "run", study, "-o", "a.h5", "--plan", *plugins), "10 cells: kept")
        change()
        plan = self.expect(0, "run", study, "-o", "a.h5", "--plan", "--verbose", *plugins)
        self.assertRegex(plan, f"linked .*: plugin changed: {name} [0-9a-f]{{8}}, done with [0-9a-f]{{8}}")

    def test_a_filter_of_a_library_is_part_of_it(self):
        for flag in ("-f", "-F"):  # where it is there, and in any case
            with self.subTest(flag):
                self.library(2, "lib/libfast.so")
                self.library(1, "lib/libtables.so", f"-Wl,{flag},libfast.so", "-Wl,-rpath,$ORIGIN,--enable-new-dtags")
                self.plugin()
                self.expect_part_of_the_plugin("libfast.so", lambda: self.library(3, "lib/libfast.so"))
                self.expect(0, "run", self.scratch / "study.toml", "-o", "a.h5", "--plugins", "own", "--in-process")
                (self.scratch / "a.h5").unlink()
                (self.scratch / "a.h5.journal").unlink()

    def test_a_library_that_a_constructor_opens_is_part_of_it(self):
        self.library(1)
        self.library(2, "lib/libopened.so")
        opens = f'dlopen("{self.scratch}/lib/libopened.so", RTLD_NOW)'
        self.plugin(text=f"#include <dlfcn.h>\n__attribute__((constructor)) static void begin(void) {{ {opens}; }}\n")
        self.expect_part_of_the_plugin("libopened.so", lambda: self.library(3, "lib/libopened.so"))

    def test_a_plugin_whose_dynamic_section_is_read_only_is_like_any_other(self):
        # As lld makes it with -z rodynamic: the loader leaves offsets there, where it makes addresses of them elsewhere.
        self.library(1)
        plugins = self.plugin()
        for path in (self.scratch / "own/linked.so", self.scratch / "lib/libtables.so"):
            library = bytearray(path.read_bytes())
            first, size, count = struct.unpack_from("<32xQ14xHH", library)
            for at in range(first, first + size * count, size):
                kind, flags = struct.unpack_from("<II", library, at)
                if kind == 2:  # PT_DYNAMIC
                    struct.pack_into("<I", library, at + 4, flags & ~2)
            path.write_bytes(library)
        study = self.study(SMALL_STUDY + '[[scheme]]\nuse = "linked"\n')
        self.expect(0, "run", study, "-o", "a.h5", *plugins)
        self.assertEqual(self.linked(), ["libtables.so"])
        self.expect(0, "check", "own/linked.so", "--only", "linking")

    def test_a_file_that_is_larger_than_any_plugin_is_not_read(self):
        self.library(1)
        plugins = self.plugin()
        with open(self.scratch / "own/linked.so", "r+b") as file:
            file.truncate(60 << 30)  # a hole: it takes no room, and minutes to read
        said = self.expect(0, "list", "schemes", *plugins)
        self.assertRegex(said, "passed over .*linked.so: .*60.*GiB")

    def test_a_relative_runpath_fails_its_check(self):
        self.library(1)
        self.plugin("$ORIGIN/../lib")
        self.assertRegex(self.expect(0, "check", "own/linked.so", "--only", "linking"), r"ok    linking .*\$ORIGIN/../lib")
        self.plugin("lib")
        self.assertRegex(self.expect(1, "check", "own/linked.so", "--only", "linking"), 'FAIL  linking .*its RUNPATH holds "lib"')

    def test_a_plugin_that_nobody_has_checked_is_named_until_somebody_does(self):
        plugins = ["--plugins", BUILD / "faults/toy"]
        study = self.study(SMALL_STUDY + '[[scheme]]\nuse = "toy"\n')
        said = self.expect((0, 3), "run", study, "-o", "a.h5", *plugins)
        self.assertIn("never checked in this build: toy;", said)
        self.assertEqual(self.kept_checks()["toy"]["result"], "never checked in this build")
        self.assertEqual(self.kept_checks()["rope"]["result"], "ships with poslab")
        for table in (said, self.expect(0, "summary", "a.h5")):  # in the row of the plugin, and of no other
            self.assertRegex(table, r"\n  toy !")
            self.assertRegex(table, r"\n  ! .*toy: never checked in this build")
            self.assertNotRegex(table, r"\n  (rope|none|alibi|sinusoidal) !")
        self.expect(0, "report", "a.h5")
        page = (self.scratch / "a.md").read_text()
        self.assertRegex(page, r"\| `toy` ![^|]*\|")
        self.assertIn("toy: never checked in this build", page)
        output = self.expect((0, 3), "run", study, "-o", "a.h5", "--check-plugins", "--fresh", *plugins)
        self.assertIn("checked rope: passed\n", output)
        self.assertRegex(output, r"checked toy: (passed|failed: .+)\n")
        self.assertIn(self.kept_checks()["toy"]["result"], ("passed", "failed"))
        self.assertEqual(self.kept_checks()["rope"]["result"], "passed")
        self.assertNotIn("never checked", self.expect((0, 3), "run", study, "-o", "a.h5", *plugins))

    def test_what_fails_its_checks_is_known_by_their_names(self):
        bad = BUILD / "faults/lies_relative"
        self.expect(1, "check", bad / "lies_relative.so")
        study = self.study(SMALL_STUDY + '[[scheme]]\nuse = "toy"\n')
        said = self.expect((0, 3), "run", study, "-o", "a.h5", "--plugins", bad)
        self.assertNotIn("never checked", said)
        known = self.kept_checks()["toy"]
        self.assertEqual(known["result"], "failed")
        self.assertTrue(known["failed"])
        self.assertRegex(said, r"\n  toy !")
        for check in known["failed"]:
            self.assertRegex(" ".join(said.split()), rf"! .*toy: failed: .*{check}")

    def linked(self):
        with h5py.File(self.scratch / "a.h5") as file:
            entry = next(p for p in json.loads(file["provenance/plugins"].asstr()[()]) if p["id"] == "linked")
        return [library["file"].rsplit("/", 1)[1] for library in entry["linked"]]

    def kept_checks(self):
        with h5py.File(self.scratch / "a.h5") as file:
            return json.loads(file["provenance/plugin_checks"].asstr()[()])


if __name__ == "__main__":
    unittest.main()
