"""poslab.report: the page of a run says what the file says."""

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

import h5py
import numpy
from poslab_case import SOURCE, PoslabCase, study_text

sys.path.insert(0, str(SOURCE / "results/python"))
sys.dont_write_bytecode = True
import poslab  # noqa: E402
from poslab.report.figure import edges  # noqa: E402

STUDY = study_text(
    "Five schemes, five questions",
    ["none", "sinusoidal", ("learned", "set = { max_length = 64 }"), "rope", "t5"],
    [("uniqueness", "axes = { length = [64] }"),
     ("relative-shift", "repeats = 2\naxes = { length = [32], shift = [1, 10] }"),
     ("norm-preservation", "repeats = 2\naxes = { length = [32] }"),
     ("extrapolation", "repeats = 2\naxes = { train_length = [32], multiple = [1, 4] }"),
     ("first-position-bias", "repeats = 2\naxes = { length = [16], depth = [1, 2] }")])


class ReportCase(PoslabCase):
    @classmethod
    def setUpClass(cls):
        kept = tempfile.TemporaryDirectory(prefix="poslab-test-")
        cls.addClassCleanup(kept.cleanup)
        cls.kept, cls.reported = Path(kept.name), {}  # of each study the folder with its run and its first report

    def report(self, study):
        """Runs the study and makes study.md of it; once for all tests of the class."""
        if study not in self.reported:
            self.expect((0, 1), "run", self.study(study))
            self.assertEqual(self.expect(0, "report", "study.h5", "-o", "study.md"), "study.md\n")
            self.reported[study] = Path(shutil.copytree(self.scratch, self.kept / str(len(self.reported))))
        shutil.copytree(self.reported[study], self.scratch, dirs_exist_ok=True)
        self.page = self.scratch / "study.md"
        self.run_ = poslab.open(self.scratch / "study.h5")

    def rows(self):
        """The table of a Markdown page: cells by variant."""
        lines = [line.strip("| ").split(" | ") for line in self.page.read_text().splitlines() if line.startswith("| `")]
        return {re.match(r"`([^`]+)`", line[0]).group(1): line for line in lines if not line[0].startswith("| question")}


class Report(ReportCase):
    def setUp(self):
        super().setUp()
        self.report(STUDY)

    def test_every_cell_is_an_answer_of_the_file(self):
        rows, answers = self.rows(), self.run_.answers
        columns = list(answers.drop_duplicates("experiment").experiment)
        self.assertEqual(len(columns), 5)
        self.assertEqual(len(answers), 25)
        numbers = 0
        for answer in answers.itertuples():
            cell = rows[re.sub(r"\(.*", "", answer.variant) if "unset" in answer.variant else answer.variant][1 + columns.index(answer.experiment)]
            if answer.needs_reason:
                self.assertRegex(cell, r"^– \[\d+\]$")
            else:
                self.assertEqual(poslab.markdown(f"{answer.sign} {answer.text}".strip()), cell)
                numbers += 1
        self.assertGreater(numbers, 15)

    def test_untrained_weights_have_a_star(self):
        text = self.page.read_text()
        self.assertRegex(text, r"\n\| `t5` \\\* \|")
        self.assertRegex(text, r"\n\| `rope` \|")
        self.assertIn("untrained weights, as drawn at initialisation", text)

    def test_signs_are_those_of_the_file(self):
        with h5py.File(self.scratch / "study.h5", "r+") as file:
            signs = file["answers/signs"]
            name = list(signs["sign"].asstr()[:]).index("*")
            for column, one, all_of_it in (("answers/sign", "✓", "+"), ("answers/signs/sign", "✓", "+"), ("answers/signs/meaning", "yes", "so it is")):
                file[column][...] = [text.replace(one, all_of_it) for text in file[column].asstr()[:]]
            signs["sentence"][name] = "trained on copy, 2000 steps"
            rows = file["answers/rows/signs"]
            rows[...] = [text + "§" for text in rows.asstr()[:]]
        self.expect(0, "report", "study.h5", "-o", "signs.md")
        page = (self.scratch / "signs.md").read_text()
        self.assertIn("\n+ so it is, ", page)
        self.assertIn("\n\\* trained on copy, 2000 steps", page)
        self.assertIn("| `rope` § | + 64 |", page)

    def test_a_word_for_no_answer_has_its_reason(self):
        with h5py.File(self.scratch / "study.h5", "r+") as file:
            answers = file["answers"]
            for column, said in (("sentence", "nothing was learnt within it"), ("text", "untaught"), ("sign", "")):
                answers[column][0] = said
            answers["needs_reason"][0] = 1
        self.expect(0, "report", "study.h5", "-o", "untaught.md")
        page = (self.scratch / "untaught.md").read_text()
        number = re.search(r"\| untaught \[(\d+)\]", page)[1]
        self.assertIn(f"\n{number}. nothing was learnt within it", page)
        self.assertNotIn("Every question was answered", page)

    def test_doubts_that_are_not_as_poslab_writes_them_are_none(self):
        for foreign in ("", "[", "1", "null"):
            with h5py.File(self.scratch / "study.h5", "r+") as file:
                for name in ("doubts", "weights_from", "plugin_checks", "supply"):
                    file["provenance"].pop(name, None)
                    file["provenance"][name] = foreign
            run = poslab.open(self.scratch / "study.h5")
            self.assertEqual((run.doubts, run.weights_files), ({}, []))
        self.expect(0, "report", "study.h5", "-o", "old.md")

    def test_the_study_is_named_as_the_run_was_told_and_what_was_interrupted(self):
        (self.scratch / "pages").mkdir()
        shutil.copy(self.scratch / "study.h5", self.scratch / "renamed.h5")
        with h5py.File(self.scratch / "renamed.h5", "r+") as file:
            file.attrs["complete"], file.attrs["planned_cells"] = 0, 900
        self.expect(0, "report", "renamed.h5", "-o", "pages/a.md")
        self.assertRegex((self.scratch / "pages/a.md").read_text(),
                         r"from the results of \[../study.toml\]\(../study.toml\) \((\d+) cells: .*; interrupted: \1 of 900 cells\)")

    def test_colours_reach_halfway_to_the_next_coordinate(self):
        numpy.testing.assert_allclose(edges(numpy.array([0.0, 4, 8, 16]), False), [-2, 2, 6, 12, 20])
        numpy.testing.assert_allclose(edges(numpy.array([1.0, 4, 8]), True), [0.5, 2, 32 ** 0.5, 128 ** 0.5])
        self.assertEqual((edges(numpy.array([3.0]), False).tolist(), len(edges(numpy.array([3.0]), True))), ([2.5, 3.5], 2))

    def test_a_file_without_answers_says_which_it_is(self):
        self.expect(0, "run", "study.toml", "--shard", "1/1000", "-o", "s.h5")  # without a cell
        self.expect(3, "merge", "--partial", "s.1-of-1000.h5", "-o", "part.h5")
        with h5py.File(self.scratch / "part.h5", "r+") as file:
            file.create_group("shard")  # as earlier versions wrote it
        self.assertIn("it is a shard", self.expect(1, "report", "part.h5"))
        with h5py.File(self.scratch / "part.h5", "r+") as file:
            del file["shard"]
        said = self.expect(1, "report", "part.h5")
        self.assertIn("answers no question", said)
        self.assertNotIn("shard,", said)

    def test_another_run_stands_beside_it(self):
        first = {name: cells for name, cells in self.rows().items()}
        path = self.study(study_text("Other widths", ["rope", "t5"], [("uniqueness", "axes = { length = [16] }")]), "other.toml")
        self.expect(0, "run", path)
        self.expect(0, "report", "study.h5", "--beside", "other.h5", "-o", "both.md")
        lines = [line for line in (self.scratch / "both.md").read_text().splitlines() if line.startswith("| `")]
        names = [line.split(" | ")[0].strip("| ") for line in lines]
        at = names.index("`rope` ‡")
        self.assertTrue(names[at - 1].startswith("`rope"))
        self.assertEqual(lines[at - 1].split(" | ")[1], first["rope"][1])
        self.assertEqual(lines[at].split(" | ")[1], "✓ 16")
        self.assertEqual(lines[at].split(" | ")[2], "")
        self.assertEqual([name for name in names if name.startswith("`t5`")], [r"`t5` \*", r"`t5` ‡ \*"])
        self.assertIn("‡ of another run, Other widths", (self.scratch / "both.md").read_text())
        for page in ("both.tex", "both.pdf"):
            self.expect(0, "report", "study.h5", "--beside", "other.h5", "-o", page)
        self.assertIn("no.h5", self.expect(1, "report", "study.h5", "--beside", "no.h5"))

    def test_reasons_are_numbered_and_the_picture_is_there(self):
        number = re.search(r"\[(\d+)\]", self.rows()["t5"][3]).group(1)
        self.assertIn(f"\n{number}. it changes no vector", self.page.read_text())
        picture = (self.scratch / "study.svg").read_text()
        self.assertIn("<text", picture)  # vectors and text, not an image of them
        self.assertIn("](study.svg)", self.page.read_text())

    def test_the_same_file_gives_the_same_page(self):
        first = {name: (self.scratch / name).read_bytes() for name in ("study.md", "study.svg")}
        self.expect(0, "report", "study.h5")
        for name, content in first.items():
            self.assertEqual((self.scratch / name).read_bytes(), content)

    def test_a_document_of_latex(self):
        self.expect(0, "report", "study.h5", "-o", "paper.tex")
        text = (self.scratch / "paper.tex").read_text()
        self.assertTrue((self.scratch / "paper-figure.pdf").read_bytes().startswith(b"%PDF"))
        self.assertIn("{paper-figure.pdf}", text)
        self.assertFalse((self.scratch / "paper.pdf").exists())  # the name of a page, and of what LaTeX makes of this one
        body = text[text.index(r"\begin{longtable}"):text.index(r"\end{longtable}")]
        lines = [line for line in body.splitlines() if line.startswith(("{}none", "{}sinusoidal", "{}learned", "{}rope", "{}t5"))]
        self.assertEqual([line.count("&") for line in lines], [5] * 5)
        self.assertNotRegex(text, r"[✓✗±×–]")  # what its fonts have not
        depth = 0
        for brace in re.findall(r"(?<!\\)[{}]", text):
            depth += 1 if brace == "{" else -1
            self.assertGreaterEqual(depth, 0)
        self.assertEqual(depth, 0)

    def test_no_label_of_a_study_is_a_command_of_latex(self):
        labels = STUDY.replace('use = "rope"', 'use = "rope"\nlabel = "[1] θ → 漢 ħ’—€"').replace('use = "none"', 'use = "none"\nlabel = "*mine"')
        self.expect((0, 1), "run", self.study(labels, "labels.toml"))
        self.expect(0, "report", "labels.h5", "-o", "labels.tex")
        text = (self.scratch / "labels.tex").read_text()
        self.assertIn("\n{}[1] $\\theta$ $\\to$ [U+6F22] [U+0127]’—€ & ", text)
        self.assertIn("\n{}*mine & ", text)

    def test_a_page_on_paper(self):
        self.expect(0, "report", "study.h5", "-o", "paper.pdf")
        data = (self.scratch / "paper.pdf").read_bytes()
        self.assertTrue(data.startswith(b"%PDF"))
        self.assertEqual(len(re.findall(rb"/Type /Page\b", data)), 2)  # the table, and the figure

    def test_what_cannot_be_written_or_read_is_said(self):
        self.assertIn("ends with none of .md, .tex, .pdf", self.expect(2, "report", "study.h5", "-o", "study.doc"))
        self.assertIn("absent.h5", self.expect(1, "report", "absent.h5"))
        self.assertIn("nowhere", self.expect(1, "report", "study.h5", "-o", "nowhere/study.md"))
        self.assertIn("-o wants the name of a page", self.expect(2, "report", "study.h5", "-o", ""))

    def test_a_page_does_not_replace_the_results_that_it_is_made_from(self):
        results = (self.scratch / "study.h5").read_bytes()
        (self.scratch / "r.md").write_bytes(results)
        (self.scratch / "link.md").symlink_to("study.h5")
        for words in (["r.md"], ["study.h5", "--beside", "r.md", "-o", "r.md"], ["study.h5", "-o", "link.md"]):
            self.assertIn("holds the results that the page is made from", self.expect(1, "report", *words))
        self.assertIn("is where the page of --beside goes", self.expect(2, "run", "study.toml", "-o", "r.md", "--beside", "study.h5"))
        self.assertEqual((self.scratch / "r.md").read_bytes(), results)
        self.assertEqual((self.scratch / "study.h5").read_bytes(), results)

    def test_what_is_no_regular_file_is_not_written(self):
        for fifo, page in (("a.md", "a.md"), ("b.svg", "b.md"), ("c.pdf.new", "c.pdf")):
            os.mkfifo(self.scratch / fifo)  # opening it would wait for ever
            self.assertIn(f"{fifo} is a FIFO, not a regular file", self.expect(1, "report", "study.h5", "-o", page))


THREE_SCHEMES = ["rope", ("sinusoidal", 'axes = { layout = ["interleaved", "timing-signal"] }'), ("learned", "set = { max_length = 20 }")]
MORE_THAN_LENGTH = study_text(
    "Heads, residuals and lists vary", THREE_SCHEMES,
    [("relative-shift", "repeats = 2\naxes = { heads = [2, 4], length = [16, 32], shift = [1] }"),
     ("relative-shift", "repeats = 2\naxes = { heads = [2, 4], length = [32], shift = [1, 3] }"),
     ("norm-preservation", "repeats = 1\naxes = { length = [16], embedding_std = [0.5, 2.0] }"),
     ("extrapolation", "repeats = 1\naxes = { train_length = [16], multiple = [1], d_model = [32, 64] }"),
     ("first-position-bias", """repeats = 1
axes = { length = [8], depth = [1, 2], residual = [true, false], query_gain = [0.0, 1.0] }
[[experiment.skip]]
when = { scheme = "learned", residual = false }
reason = "enough\"""")])


class Training(ReportCase):
    def test_what_networks_have_learnt_has_panels(self):
        steps = "steps = [20], batch = [4]"
        self.report(study_text("Trained", ["none", "rope"],
                               [("language-model", f"repeats = 1\naxes = {{ train_length = [16], multiple = [1, 2], {steps} }}"),
                                ("length-generalisation", f"repeats = 1\naxes = {{ largest = [4], size = [2, 4, 6], {steps} }}")]))
        self.assertIn("](study.svg)", self.page.read_text())
        picture = (self.scratch / "study.svg").read_text()
        for words in ("perplexity on longer sequences", "tokens of larger instances that are right"):
            self.assertIn(words, picture)
        self.assertGreaterEqual(picture.count("<image"), 4)  # a row for each scheme in both panels


class MoreThanLength(ReportCase):
    """A study may vary what it likes; the page says at which point the figure shows each scheme."""

    def test_the_last_point_of_each_scheme(self):
        self.report(MORE_THAN_LENGTH)
        page = self.page.read_text()
        self.assertIn(r"`relative-shift` at heads = 4, shift\_list = \[1, 3\]", page)
        self.assertIn(r"`first-position-bias` at query\_gain = 1.0, residual = false or true", page)
        self.assertNotIn("| own code", page)
        answers = self.run_.answers
        sentence = answers[(answers.experiment == "norm-preservation") & (answers.variant == "rope")].sentence.item()
        self.assertIn("embedding_std", sentence)  # which of several points a number is of

    def test_a_study_of_two_experiments_has_two_columns(self):
        self.report(study_text("Two questions", THREE_SCHEMES, [("uniqueness", 'axes = { length = [16], kind = ["natural", "position"] }'),
                                                                ("norm-preservation", "axes = { length = [16] }")]))
        page = self.page.read_text()
        self.assertRegex(page, r"\n\| scheme \| own code[^|]* \| norms[^|]* \|\n")
        self.assertNotIn("![", page)  # none of the pictures has anything to show
        self.assertFalse((self.scratch / "study.svg").exists())


EVIL = '*a* `b` [c](http://d) <img src=x> | $\\frac{$ \x1b[2J\n# f\u202e'


class TextsOfStrangers(ReportCase):
    """What a file says of itself is text on the page, and no part of it."""

    def test_names_of_pages_and_experiments(self):
        self.report(STUDY)
        self.expect(0, "report", "study.h5", "-o", "a} \\input{b}%.tex")
        text = (self.scratch / "a} \\input{b}%.tex").read_text()
        self.assertIn("{a---input-b---figure.pdf}", text)
        self.assertTrue((self.scratch / "a---input-b---figure.pdf").exists())
        with h5py.File(self.scratch / "study.h5", "a") as file:
            column = file["answers/experiment"]
            column[:] = [EVIL if text == b"uniqueness" else text for text in column[:]]
            asked = file["answers/asked"]
            asked[:] = [EVIL if text == b"uniqueness" else text for text in asked[:]]
        self.expect(0, "report", "study.h5")
        text = self.page.read_text()
        for sign in ("\x1b", "\u202e", "| `*a*", "](http"):
            self.assertNotIn(sign, text.replace(r"\](http", ""))

    def test_what_is_not_as_poslab_writes_it_is_one_sentence(self):
        self.report(STUDY)
        whole = (self.scratch / "study.h5").read_bytes()

        def marks(file):
            file["answers/mark"][:] = 77

        def ids(file):
            file["experiment"][:] = ["nobody"] * len(file["experiment"])

        def without(name):
            def spoil(file):
                del file[name]
            return spoil

        groups = [without(name) for name in ("uniqueness", "answers", "variant", "answers/variant", "relative-shift/repeat", "id")]
        for spoil in (marks, ids, *groups):
            (self.scratch / "study.h5").write_bytes(whole)
            with h5py.File(self.scratch / "study.h5", "a") as file:
                spoil(file)
            said = self.expect(1, "report", "study.h5")
            self.assertRegex(said, r"^poslab report: .*study\.h5.*\n$")

    def test_a_file_of_groups_in_groups_without_end_is_one_sentence(self):
        self.report(STUDY)
        for where in ("/", "uniqueness", "answers"):
            shutil.copy(self.scratch / "study.h5", self.scratch / "deep.h5")
            with h5py.File(self.scratch / "deep.h5", "r+") as file:
                group = file[where]
                for _ in range(1000):
                    group = group.create_group("g")
            for page in ("deep.md", "deep.tex", "deep.pdf", "deep.html"):
                said = self.expect(1, "report", "deep.h5", "-o", page)
                self.assertRegex(said, r"^poslab report: deep.h5: \S*g/g/g lies in more than 4 groups; .*\n$")
            for words in (["summary", "deep.h5"], ["compare", "deep.h5", "deep.h5"]):
                self.assertIn("lies in more than 4 groups", self.expect((1, 2, 3), *words))

    def test_a_damaged_file_is_called_damaged(self):
        self.report(STUDY)
        whole = (self.scratch / "study.h5").read_bytes()
        for place, at in enumerate(range(20, len(whole), len(whole) // 25)):
            (self.scratch / "study.h5").write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1:])
            for code, command in ((1, "report"), (2, "summary"))[place % 5 > 0:]:  # a process with matplotlib takes seconds
                self.assertIn("study.h5: is damaged" if command == "summary" else "study.h5 is damaged", self.expect(code, command, "study.h5"))
            with self.assertRaisesRegex(ValueError, "is damaged"):
                poslab.open(self.scratch / "study.h5")
        heap = whole.index(b"GCOL\x01\0\0\0") + 64
        (self.scratch / "study.h5").write_bytes(whole[:heap] + bytes(512) + whole[heap + 512:-80])
        for code, command in ((1, "report"), (2, "summary")):
            self.assertIn("the heap at byte", self.expect(code, command, "study.h5"))

    def test_no_markup_of_the_file_is_one_of_the_page(self):
        self.expect(0, "run", self.study(STUDY))
        path = self.scratch / "a*b* [c](d) <e>.h5"
        (self.scratch / "study.h5").rename(path)
        with h5py.File(path, "a") as file:
            file.attrs["title"] = EVIL
            del file["provenance/study_path"]
            file["provenance/study_path"] = "/elsewhere/a*b* [c](d) <e>.toml"
            for group in ("/", "uniqueness", "relative-shift", "norm-preservation", "extrapolation", "first-position-bias"):
                for name in ("variant", "message"):
                    column = file[group][name]
                    column[:] = [f"{text.decode()} {EVIL}" for text in column[:]]
            for name in ("variant", "text", "sentence", "heading", "unit", "legend", "rows/variant"):
                column = file["answers"][name]
                column[:] = [f"{text.decode()} {EVIL}" if text != "–".encode() else text for text in column[:]]
        page = self.scratch / "page*1*.md"
        self.expect(0, "report", path, "-o", page)
        self.assertIn(r"from the results of a\*b\* \[c\](d) \<e\>.toml (", page.read_text())  # which is not there
        (self.scratch / "study.toml").rename(path.with_suffix(".toml"))
        self.expect(0, "report", path, "-o", page)
        text = page.read_text()
        escaped = r"\*a\* \`b\` \[c\](http://d) \<img src=x\> \| \$\\frac{\$ \\u001B\[2J\\u000A\# f\\u202E"
        self.assertEqual(text.split("\n")[0], f"# {escaped}")
        self.assertGreater(text.count(escaped), 25)  # the title, five schemes, their answers, headings, reasons
        own = text.replace(escaped, "")
        for sign in ("\x1b", "\u202e", "<img", "](http", "*a*", "[c](d)", "$\\frac"):
            self.assertNotIn(sign, own)
        self.assertIn(r"[a\*b\* \[c\](d) \<e\>.toml](a%2Ab%2A%20%5Bc%5D%28d%29%20%3Ce%3E.toml)", text)
        self.assertIn("(page%2A1%2A.svg)", text)
