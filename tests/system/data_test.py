# SPDX-License-Identifier: Apache-2.0
"""--data: an experiment that needs a file gets its contents, and whatever is wrong with it is said before anything runs."""

import json
import subprocess
import sys
import unittest

import h5py

from poslab_case import SOURCE, PoslabCase

STUDY = """
format = 1
title = "a text"
seed = 7
[model]
d_model = 16
heads = 4
[[scheme]]
use = "rope"
[[scheme]]
use = "alibi"
[[experiment]]
use = "language-model"
repeats = 1
[experiment.axes]
task = ["text"]
layers = 1
train_length = 8
multiple = [1, 2]
steps = 3
"""


class DataTest(PoslabCase):
    def setUp(self):
        super().setUp()
        self.study(STUDY)
        (self.scratch / "text.txt").write_text("".join(f"the quick brown fox {i}\n" for i in range(400)))

    def run_with(self, *data, code=0, output="a.h5", extra=()):
        words = [word for one in data for word in ("--data", one)]
        return self.expect(code, "run", "study.toml", "-o", output, *words, *extra)

    def ids(self, output="a.h5"):
        with h5py.File(self.scratch / output) as file:
            return list(file["id"].asstr()[:])

    def test_a_missing_file_is_asked_for(self):
        for extra in ([], ["--plan"], ["--in-process"]):
            self.assertTrue(self.run_with(code=2, extra=extra).startswith("poslab: --data text=FILE is missing"))
        self.assertFalse((self.scratch / "a.h5").exists())
        self.assertIn("--data text=FILE", self.expect(0, "describe", "language-model"))

    def test_what_cannot_be_the_file_is_refused(self):
        (self.scratch / "empty.txt").write_text("")
        with open(self.scratch / "large.txt", "wb") as large:
            large.truncate((1 << 30) + 1)
        for data, words in {"txet=text.txt": 'did you mean "text"?', "text=none.txt": "none.txt", "text=.": "is a directory",
                            "text=/dev/zero": "is a device, not a regular file", "text=large.txt": "may have 1.0 GiB",
                            "text=empty.txt": "empty.txt: cannot be the text of language-model"}.items():
            with self.subTest(data):
                self.assertIn(words, self.run_with(data, code=2))
                self.assertFalse((self.scratch / "a.h5").exists())
        self.assertIn("was given already", self.run_with("text=text.txt", "text=study.toml", code=2))

    def test_the_identity_is_that_of_the_contents_and_not_of_the_path(self):
        self.run_with("text=text.txt")
        first = self.ids()
        (self.scratch / "text.txt").rename(self.scratch / "moved.txt")
        self.assertIn("2 of 2 cells are kept", self.run_with("text=moved.txt"))
        self.assertEqual(self.ids(), first)
        with open(self.scratch / "moved.txt", "a") as text:
            text.write("?")
        self.assertNotIn("cells are kept", self.run_with("text=moved.txt"))
        self.assertFalse(set(self.ids()) & set(first))

    def test_provenance_names_the_file(self):
        self.run_with("text=text.txt")
        with h5py.File(self.scratch / "a.h5") as file:
            supply = json.loads(file["provenance/supply"].asstr()[()])
        self.assertEqual([(one["name"], one["path"], one["bytes"]) for one in supply],
                         [("text", "text.txt", (self.scratch / "text.txt").stat().st_size)])

    def test_workers_this_process_and_shards_measure_the_same(self):
        self.run_with("text=text.txt")
        for number, options in enumerate((["--in-process"], ["--threads=4", "--workers=2"])):
            self.run_with("text=text.txt", output=f"{number}.h5", extra=options)
            self.expect(0, "compare", "--exact", "a.h5", f"{number}.h5")
        for shard in (1, 2):
            self.run_with("text=text.txt", output="s.h5", extra=[f"--shard={shard}/2"])
        self.expect(0, "merge", "-o", "m.h5", "s.1-of-2.h5", "s.2-of-2.h5")
        self.expect(0, "compare", "--exact", "a.h5", "m.h5")


INSTANCES = """
format = 1
title = "lines of one's own"
seed = 7
[model]
d_model = 32
heads = 4
[[scheme]]
use = "rope"
[[experiment]]
use = "length-generalisation"
repeats = 1
[experiment.axes]
task = ["instances"]
layers = 1
smallest = 2
largest = 4
size = [2, 4, 5]
held_out = 100
steps = 150
learning_rate = 0.01
warm_up = 10
"""


class InstancesTest(PoslabCase):
    """The first letter of a line, asked for at its end."""

    def setUp(self):
        super().setUp()
        self.study(INSTANCES)
        lines = []
        for size in (2, 3, 4, 5):
            for number in range(100 if size < 5 else 7):
                letters = ["abcd"[number // 4 ** place % 4] for place in range(size)]
                lines.append(" ".join(letters) + "\t" + "- " * (size - 1) + letters[0] + "\n")
        (self.scratch / "lines.txt").write_text("".join(lines))

    def test_the_generator_on_the_page_writes_such_a_file(self):
        page = (SOURCE / "core/tasks/tasks.md").read_text()
        program = page.split("```python\n")[1].split("```")[0]
        written = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
        (self.scratch / "lines.txt").write_text(written)
        lines = [line.split("\t") for line in written.splitlines()]
        self.assertEqual(len(lines), 15 * 500)
        for tokens, targets in lines:
            numbers = [int(token) for token in tokens.split()]
            self.assertEqual(targets.split(), ["-", *(str(max(pair)) for pair in zip(numbers, numbers[1:]))])
        self.study(INSTANCES.replace("steps = 150", "steps = 3").replace("size = [2, 4, 5]", "size = [2, 4, 16]"))
        self.expect(0, "run", "study.toml", "-o", "a.h5", "--data", "instances=lines.txt")
        with h5py.File(self.scratch / "a.h5") as file:
            self.assertEqual(list(file["length-generalisation/refused"][0]), [0, 0, 0])

    def test_a_task_of_ones_own_is_learnt_and_measured_on_lines_that_are_held_out(self):
        self.expect(0, "run", "study.toml", "-o", "a.h5", "--data", "instances=lines.txt")
        with h5py.File(self.scratch / "a.h5") as file:
            group = file["length-generalisation"]
            self.assertEqual(list(group["refused"][0]), [0, 0, 0])
            self.assertGreater(group["accuracy"][0][1], 0.9)
            self.assertLessEqual(group["chance"][0][1], 0.5)

    def test_a_mistake_is_said_with_its_place_before_anything_runs(self):
        for contents, words in {"a b\t- a\na b\t-\n": "lines.txt: cannot be the instances of length-generalisation: has a mistake "
                                                      "in line 2, column 5",
                                "a b c\t- - a\n": "no line of 4 tokens",
                                "a b c d\t- - - a\n": "nothing of size 4 to train on"}.items():
            with self.subTest(words):
                (self.scratch / "lines.txt").write_text(contents)
                said = self.expect(2, "run", "study.toml", "-o", "a.h5", "--data", "instances=lines.txt")
                self.assertIn(words, " ".join(said.split()))
                self.assertFalse((self.scratch / "a.h5").exists())


if __name__ == "__main__":
    unittest.main()
