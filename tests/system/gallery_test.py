"""poslab.gallery: a page for each scheme of a run, from what the program and the results file say."""

import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path

from poslab_case import BINARY, SOURCE, PoslabCase, study_text

sys.path.insert(0, str(SOURCE / "results/python"))
sys.dont_write_bytecode = True
import h5py
import pandas as pd  # noqa: E402
from poslab.gallery import page as pages  # noqa: E402
from poslab.labels import labels_of  # noqa: E402

STUDY = study_text(
    "Some of each",
    ["none", ("sinusoidal", 'axes = { layout = ["interleaved", "timing-signal"] }'), "rope", "retnet", "t5", "shaw",
     ("swin", "set = { window = [8, 8] }\npositions = { grid = [4, 4] }")],
    [("norm-preservation", "axes = { length = [16] }")])
DRAWN = {"sinusoidal", "rope", "retnet", "t5", "shaw", "swin"}  # none adds nothing


class Gallery(PoslabCase):
    folder: Path | None = None  # made once: the tests only read it

    def setUp(self):
        super().setUp()
        if Gallery.folder is None:
            home = tempfile.TemporaryDirectory(prefix="poslab-test-")
            self.addClassCleanup(home.cleanup)
            self.expect(0, "run", self.study(STUDY))
            Gallery.folder = Path(home.name) / "a gallery"
            subprocess.run(["/usr/bin/python3", "-B", "-m", "poslab.gallery", "study.h5", "-o", self.folder, "--program", BINARY, "--pages",
                            SOURCE / "plugins"], cwd=self.scratch, check=True, env=os.environ | {"PYTHONPATH": str(SOURCE / "results/python")})

    def test_a_scheme_that_is_called_as_a_file_is_no_scheme(self):
        self.expect(0, "run", self.study(STUDY))
        evil = self.scratch / "evil.py"
        evil.write_text(f"import os; os.mkdir({str(self.scratch / 'ran')!r})")
        with h5py.File(self.scratch / "study.h5", "r+") as file:
            for name in ("scheme", *(f"{experiment}/scheme" for experiment in file if "scheme" in file[experiment])):
                file[name][:] = [str(evil) if text == b"none" else text for text in file[name][:]]
        done = subprocess.run(["/usr/bin/python3", "-B", "-m", "poslab.gallery", "study.h5", "-o", "gallery", "--program", BINARY],
                              cwd=self.scratch, env=os.environ | {"PYTHONPATH": str(SOURCE / "results/python")}, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("evil.py', which is no name of one", done.stderr)
        self.assertFalse((self.scratch / "ran").exists())
        self.assertFalse((self.scratch / "gallery").exists())

    def test_every_scheme_has_its_page_and_its_picture(self):
        index = (self.folder / "README.md").read_text()
        self.assertEqual({path.stem for path in self.folder.glob("*.png")}, DRAWN)
        for name in DRAWN | {"none"}:
            text = (self.folder / f"{name}.md").read_text()
            self.assertIn(f"({name}.md)", index)
            self.assertEqual(f"]({name}.png)" in text, name in DRAWN)
            (own,) = re.findall(r"\[its own page\]\((.*)\)", text)
            self.assertTrue((self.folder / own).samefile(SOURCE / f"plugins/{name}/{name}.md"))
            own_traps = (SOURCE / f"plugins/{name}/{name}.md").read_text().partition("\n## Traps\n")[2].strip().split("\n## ")[0]
            self.assertIn(own_traps.strip(), text)
        for picture in self.folder.glob("*.png"):
            data = picture.read_bytes()
            self.assertLess(len(data), 75_000)  # forty of them under 3 MB
            self.assertGreater(struct.unpack(">I", data[16:20])[0], 400)

    def test_a_page_says_what_the_program_says(self):
        rope = (self.folder / "rope.md").read_text()
        formula = json.loads(self.poslab("describe", "rope", "--json").stdout)["formula"]
        self.assertIn(f"```\n{formula}\n```", rope)
        self.assertIn("Su et al. 2021, arXiv:2104.09864", rope)
        self.assertIn("GPT-NeoX", rope)
        self.assertIn("| claims | isometry, relative,", rope)
        sinusoidal = (self.folder / "sinusoidal.md").read_text()
        self.assertEqual(re.findall(r"^### (.*)$", sinusoidal, re.MULTILINE), ["sinusoidal(layout=interleaved)", "sinusoidal(layout=timing-signal)"])
        self.assertIn("changes no vector", (self.folder / "t5.md").read_text())  # why norms were not asked
        self.assertIn("a grid of 8x8", (self.folder / "swin.md").read_text())


SCHEME = {"id": "rope", "title": "R", "summary": "It *rotates*.", "formula": "x\n```\n# y", "paper": "P", "used_in": "", "family": "rotary",
          "variant": {}}


class Answers(unittest.TestCase):
    """The answers of a made-up run."""

    def setUp(self):
        cells = [("a", "rope", "rope", "ok", "", "{}"), ("b", "rope", "rope", "skipped", "not *for* it", "{}")]
        answers = [("a", "rope", "partly", "1.4 ± 0.1", "sd", "alpha", "of | a <b> part", "what a says"),
                   ("a", "rope", "cannot_tell", "", "sd", "alpha", "two repeats", "what a says"),
                   ("a", "alibi", "no", "7", "sd", "alpha", "of another", "what a says")]
        index = pd.DataFrame(cells, columns=["experiment", "scheme", "variant", "status", "message", "label_parameters"])
        self.run_ = types.SimpleNamespace(
            title="T", doubts={}, weights_files=[], experiments=["a", "b"], index=index, labels=labels_of(index), signs_of_names={"rope": "*"},
            answer_signs=pd.DataFrame([("*", "name", "both", "drawn", "as *drawn*")], columns=["sign", "kind", "form", "meaning", "sentence"]),
            answers=pd.DataFrame(answers, columns=["experiment", "variant", "mark", "text", "unit", "heading", "sentence", "legend"]))

    def test_stand_as_they_are_stored_and_nothing_of_them_is_markup(self):
        text = pages.page(self.run_, SCHEME, "", "", "")
        self.assertIn("| alpha (sd) | partly, 1.4 ± 0.1 | of \\| a \\<b\\> part |", text)
        self.assertIn("| alpha (sd) | cannot tell | two repeats |", text)
        self.assertIn("| b | skipped | not \\*for\\* it |", text)
        self.assertNotIn("of another", text)
        self.assertIn("### rope \\*", text)
        self.assertIn("\n\\* as \\*drawn\\*.", text)
        self.assertIn("It \\*rotates\\*.", text)
        self.assertIn("```\nx\n'''\n# y\n```", text)

    def test_in_the_index(self):
        text = pages.index(self.run_, {"rope": SCHEME})
        self.assertIn("| scheme | alpha (sd) |\n|---|---|\n| [rope \\*](rope.md) | partly, 1.4 ± 0.1; cannot tell |", text)
        self.assertIn("- **alpha**: what a says", text)

    def test_a_plugin_in_doubt_is_marked_on_its_page_and_in_the_index(self):
        self.run_.doubts, self.run_.signs_of_names = {"rope": "poslab check of rope: failed, bounds"}, {"rope": "!*"}
        for text in (pages.page(self.run_, SCHEME, "", "", ""), pages.index(self.run_, {"rope": SCHEME})):
            self.assertIn("rope ! \\*", text)
            self.assertIn("\n! poslab check of rope: failed, bounds.", text)


if __name__ == "__main__":
    unittest.main()
