"""What tests of plugins that misbehave have in common: a run of sound schemes and faulty ones, and which cells are whose."""

import shutil
from collections import Counter

import h5py
from poslab_case import BINARY, BUILD, PoslabCase
from survival import is_sanitized, wait_until_alone

STUDY = """
format = 1
title = "sound and faulty"
seed = 7
[model]
d_model = 32
heads = 4
{schemes}
[[experiment]]
use = "uniqueness"
[experiment.axes]
length = {lengths}
"""
SOUND = ["none", "sinusoidal", "rope", "alibi", "shaw"]
STATUS = ["ok", "failed", "crashed", "timeout", "skipped"]
SANITIZED = is_sanitized(BINARY)


class MisbehavingCase(PoslabCase):
    @classmethod
    def setUpClass(cls):
        cls.undisturbed = {}

    def tearDown(self):
        self.assertEqual(wait_until_alone(self.scratch), {}, "processes live on")
        names = {path.name for path in self.scratch.iterdir()} - {"filled-by-misbehaves"}
        self.assertEqual({name for name in names if not name.endswith((".toml", ".h5", ".h5.journal", ".company"))}, set(), "files are left")

    def schemes(self, company=0, mib=0):
        keepers = [f'[[scheme]]\nuse = "misbehaves"\nset = {{ mode = "keeps_company", number = {number}, mib = {mib} }}\n' for number in range(company)]
        return [*keepers, *(f'[[scheme]]\nuse = "{name}"\n' for name in SOUND)]

    def run_with(self, *modes, lengths="[8, 12, 16]", only_at=None, company=0, wanted=None, mib=0, options=(), code=3, output="a.h5"):
        """A run of sound schemes and, between them, of one that misbehaves; what it says. With company it does so when as many
        cells that keep company are in flight in its process, or as many as are wanted; these begin before it."""
        texts = self.schemes(company, mib)
        place = f", only_at = {only_at}" if only_at else ""
        for mode in modes:
            texts.insert(company + 2, f'[[scheme]]\nuse = "misbehaves"\nset = {{ mode = "{mode}"{place} }}\n')
        study = self.study(STUDY.format(schemes="".join(texts), lengths=lengths), f"{output}.toml")
        return self.expect(code, "run", study, "-o", output, *self.plugins(), *options,
                           environment=self.gate(wanted or company, output) if company else {})

    def plugins(self):
        return ["--plugins", BUILD / "faults/misbehaves"]

    def gate(self, wanted, name):
        """The environment of a run in which cells keep company until somebody misbehaves (tests/faults/company.h)."""
        folder = self.scratch / f"{name}.company"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / "gate").write_text(str(wanted))
        return {"POSLAB_TEST_COMPANY": str(folder)}

    def keepers(self, name="a.h5"):
        """{process: how many cells keep company in it}"""
        signs = [path.name.split("-") for path in (self.scratch / f"{name}.company").glob("inside-*")]
        return Counter(int(process) for _, process, _ in signs)

    def cells(self, output="a.h5"):
        """{(variant, length, repeat): (status, message, min_distance, nearest_distance)}"""
        with h5py.File(self.scratch / output) as file:
            group = file["uniqueness"]
            rows = zip(group["variant"].asstr()[:], group["length"][:], group["repeat"][:], group["status"][:],
                       group["message"].asstr()[:], group["min_distance"][:], group["nearest_distance"][:])
            return {(variant, int(length), int(repeat)): (STATUS[status], message, least.tobytes(), curve[:length].tobytes())
                    for variant, length, repeat, status, message, least, curve in rows}

    def sound(self, lengths, company=0, mib=0):
        """The cells of a run in which nobody misbehaves."""
        key = (lengths, company, mib)
        if key not in self.undisturbed:
            study = self.study(STUDY.format(schemes="".join(self.schemes(company, mib)), lengths=lengths))
            self.expect(0, "run", study, "-o", "sound.h5", "--fresh", *self.plugins())
            self.undisturbed[key] = self.cells("sound.h5")
        return self.undisturbed[key]

    def faulty(self, lengths="[8, 12, 16]", output="a.h5", company=0, mib=0):
        """The cells of the scheme that misbehaves, after the others were found to be what they should be, bit for bit."""
        cells = self.cells(output)
        for name, cell in self.sound(lengths, company, mib).items():
            self.assertEqual(cells.pop(name), cell, name)
        return cells

    def expect_all(self, cells, status, words):
        self.assertTrue(cells)
        for cell in cells.values():
            self.assertEqual(cell[0], status, cell[1])
            self.assertIn(words, cell[1])
