"""Plugins that misbehave while other cells are in flight in the same worker, however these came there: only the faulty ones are
blamed. Who waits for whom is in tests/faults/company.h, so that nothing here depends on how fast anything is."""

import unittest
from concurrent.futures import ThreadPoolExecutor

import h5py
from misbehaving import SANITIZED, STUDY, MisbehavingCase

THREADS = ["--threads", "8"]
HANGS = ["loops_for_ever", "stops_itself", "ignores_signals", "blocks_signals", "loops_at_create"]


class Company(MisbehavingCase):
    def test_those_beside_one_that_crashes_are_performed_again(self):
        for wanted, options in ((3, THREADS), (1, [*THREADS, "--workers", "2"])):
            with self.subTest(options):
                self.run_with("abort", lengths="[8]", company=3, wanted=wanted, options=[*options, "--fresh"])
                self.expect_all(self.faulty("[8]", company=3), "crashed", "died of SIGABRT" if not SANITIZED else "")

    def test_those_beside_one_that_hangs_are_performed_again(self):
        # The others began before it, so that they are late before it is.
        with ThreadPoolExecutor() as pool:  # they mostly wait
            list(pool.map(lambda mode: self.run_with(mode, lengths="[8]", company=3, options=[*THREADS, "--cell-time", "3"],
                                                     output=f"{mode}.h5"), HANGS))
        for mode in HANGS:
            with self.subTest(mode):
                self.expect_all(self.faulty("[8]", f"{mode}.h5", 3), "timeout", "did not come back within 3 s (--cell-time)")

    def test_a_cell_whose_message_another_has_swallowed_is_asked_for_again(self):
        lengths = str([1500, *range(8, 40)])
        self.run_with("swallows_descriptor_3", lengths=lengths, only_at=1500, code=(0, 3), options=["--threads", "4", "--cell-time", "2"])
        cells = self.faulty(lengths)
        faulty = cells.pop(next(name for name in cells if name[1] == 1500))
        self.assertIn(faulty[0], ("ok", "timeout"), "alone there is nothing to swallow")
        self.expect_all(cells, "ok", "")

    def test_a_cell_that_finds_no_memory_beside_another_finds_it_alone(self):
        self.run_with("takes_memory", lengths="[8]", company=1, mib=400, code=0, options=[*THREADS, "--memory", "10MB"])
        self.expect_all(self.faulty("[8]", company=1, mib=400), "ok", "")

    def test_a_cell_that_finds_no_memory_alone_has_failed(self):
        if SANITIZED:
            self.skipTest("a sanitizer's shadow memory would count, so workers of that build have no limit; the release build has")
        study = self.study(STUDY.replace("d_model = 32", "d_model = 512").format(schemes='[[scheme]]\nuse = "sinusoidal"\n',
                                                                                  lengths="[200000]"))
        output = self.expect(3, "run", study, "-o", "a.h5", "--memory", "10MB", "--force")
        self.assertIn("not enough memory", output)
        with h5py.File(self.scratch / "a.h5") as file:
            self.assertRegex(file["uniqueness/message"].asstr()[0], "^uniqueness of sinusoidal .*length=200000.*: not enough memory$")


if __name__ == "__main__":
    unittest.main()
