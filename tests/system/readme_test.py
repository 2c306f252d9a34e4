# SPDX-License-Identifier: Apache-2.0
"""What `./dev bare` makes of README.md, without a Debian: which blocks there are, and what it takes for an answer."""

import contextlib
import io
import sys
import unittest
from pathlib import Path

from poslab_case import SOURCE

sys.path.insert(0, str(SOURCE / "tests/bare"))
import readme  # noqa: E402

ASKS = "poslab report needs Matplotlib, which /usr/bin/python3 does not have: apt install python3-matplotlib on Debian, or pip install matplotlib\n"


class Answers(readme.Trial):
    """A shell that gives these, one after the other: exit code and words."""

    def __init__(self, *answers):
        super().__init__(Path("/nowhere"), Path("/nowhere"))
        self.answers, self.asked = list(answers), []

    def shell(self, text):
        self.asked.append(text)
        return self.answers.pop(0)


class Readme(unittest.TestCase):
    def test_every_block_is_run_or_written_or_compared(self):
        blocks = readme.blocks_of((SOURCE / "README.md").read_text())
        kinds = [(block.language, block.file) for block in blocks]
        self.assertLessEqual({("", ""), ("python", ""), ("python", "log_distance.py"), ("cpp", ""), ("toml", "mine.toml"), ("text", "")}, set(kinds))
        self.assertLessEqual({language for language, _ in kinds}, {"", "python", "cpp", "toml", "text"})
        self.assertTrue(blocks[0].text.startswith("./dev run "))
        lines = (SOURCE / "README.md").read_text().splitlines()
        for block in blocks:
            self.assertEqual(lines[block.line], block.text.splitlines()[0])
            self.assertFalse(block.language == "" and block.text.startswith(" "), f"line {block.line}: what a program prints is ```text")

    def run_(self, trial, text="poslab report a.h5"):
        with contextlib.redirect_stdout(io.StringIO()):
            return trial.run("a block", text)

    def test_what_a_block_asks_for_is_installed_by_its_own_line(self):
        trial = Answers((1, "one line\n" + ASKS), (0, ""), (0, "done\n"))
        self.assertEqual(self.run_(trial), "done\n")
        self.assertEqual(trial.asked[0], trial.asked[2])
        self.assertRegex(trial.asked[1], "apt-get install .* python3-matplotlib ")
        self.assertEqual(trial.installed, ["python3-matplotlib"])

    def test_what_fails_otherwise_fails(self):
        for answers in ([(1, "no module named matplotlib\n")], [(1, "")], [(1, f"Traceback (most recent call last):\n{ASKS}")],
                        [(1, f"{ASKS}and thirty lines more\n")], [(1, ASKS), (0, ""), (1, ASKS)], [(1, ASKS), (100, "")]):
            with self.subTest(answers), self.assertRaises(SystemExit):
                self.run_(Answers(*answers))

    def test_an_error_in_python_ends_in_the_sentence(self):
        said = (1, f"Traceback (most recent call last):\nImportError: {ASKS}")
        self.assertEqual(self.run_(Answers(said, (0, ""), (0, "")), readme.PYTHON.format(file="block.py")), "")

    def test_with_which_commands_a_run_ends(self):
        said = "in full, with reasons:     poslab summary a.h5 --verbose\na page with figures:       poslab report a.h5\n  rope  poslab report\n"
        self.assertEqual(readme.END_OF_A_RUN.findall(said), ["poslab summary a.h5 --verbose", "poslab report a.h5"])


if __name__ == "__main__":
    unittest.main()
