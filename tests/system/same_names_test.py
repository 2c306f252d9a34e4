"""Plugins whose own libraries have one name: the loader would give the second plugin of a process those of the first. Each has
its own, or no numbers."""

import unittest

import h5py
from linked_plugin import LinkedPluginCase
from poslab_case import study_text

STUDY = study_text("same names", ["dep-one", "dep-two"], [("uniqueness", "[experiment.axes]\nlength = [8]")])


class SameNames(LinkedPluginCase):
    def setUp(self):
        super().setUp()
        for number, name in ((1, "one"), (3, "two")):
            self.library(number, f"lib-{name}/libdep.so")
            self.plugin(f"$ORIGIN/../lib-{name}", f"dep-{name}", libraries=f"lib-{name}", library="dep")
        self.plugins = ["--plugins", "own"]

    def cells(self, output):
        """{variant: (status, message, min_distance)}"""
        with h5py.File(self.scratch / output) as file:
            group = file["uniqueness"]
            return {variant: (int(status), message, float(distance)) for variant, status, message, distance in zip(
                group["variant"].asstr()[:], group["status"][:], group["message"].asstr()[:], group["min_distance"][:])}

    def test_in_workers_each_has_its_own(self):
        self.expect(0, "run", self.study(STUDY), "-o", "a.h5", *self.plugins)
        cells = self.cells("a.h5")
        self.assertEqual({status for status, _, _ in cells.values()}, {0})
        self.assertAlmostEqual(cells["dep-two"][2] / cells["dep-one"][2], 3)

    def test_in_process_the_second_is_refused_and_the_first_has_its_own(self):
        self.expect(0, "run", self.study(STUDY), "-o", "a.h5", *self.plugins)
        self.expect(3, "run", self.study(STUDY), "-o", "b.h5", "--in-process", "--threads", "1", *self.plugins)
        right, cells = self.cells("a.h5"), self.cells("b.h5")
        ok = {variant for variant, cell in cells.items() if cell[0] == 0}
        self.assertEqual(len(ok), 1)
        for variant, (status, message, _) in cells.items():
            if variant in ok:
                self.assertEqual(cells[variant], right[variant])
            else:
                self.assertEqual(status, 1)
                self.assertIn("lib-one/libdep.so", message)
                self.assertIn("lib-two/libdep.so", message)

    def test_one_library_that_two_share_is_no_collision(self):
        self.plugin("$ORIGIN/../lib-one", "dep-two", libraries="lib-one", library="dep")
        self.expect(0, "run", self.study(STUDY), "-o", "b.h5", "--in-process", "--threads", "1", *self.plugins)


if __name__ == "__main__":
    unittest.main()
