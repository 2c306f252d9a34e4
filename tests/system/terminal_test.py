"""What a person sees: every command that prints answers, on a real terminal of 80 columns, with colours."""

import os
import unittest

import h5py
from poslab_case import BINARY, BUILD, SMALL_STUDY, PoslabCase, study_text
from terminal import COLUMNS, on_a_terminal

GOOD, BAD = "1;38;5;28", "1;38;5;160"  # as in core/app/terminal/styled_text.cpp
EVIL = "\x1b[31mred\nposlab: all is well\u202edesrever\u2028 and so on, through many words, until no line could ever hold it"
EXPECTING = """
[[expect]]
experiment = "uniqueness"
measure = "distinct"
where = { scheme = "rope", length = 16 }
value = 17.0
tolerance = 0.0
source = "a sentence of somebody who was sure of it, and who gave a long account of how it came to be that he was so sure"
"""


class OnATerminal(PoslabCase):
    def shown(self, code, *arguments, term="xterm-256color", interrupt_at=None, **environment):
        """The terminal after poslab has ended with `code`, once nothing on it was found wrong."""
        inherited = {k: v for k, v in os.environ.items() if k not in ("POSLAB_PLUGIN_PATH", "NO_COLOR", "COLORTERM")}
        inherited |= {"XDG_CACHE_HOME": str(self.cache), "TERM": term} | environment
        ended, terminal = on_a_terminal([BINARY, *map(str, arguments)], inherited, self.scratch, interrupt_at)
        text = terminal.text()
        self.assertEqual(ended, code, text)
        self.assertLessEqual(len(terminal.widest()), COLUMNS, "".join(character for character, _ in terminal.widest()))
        self.assertEqual(terminal.unknown, [], text)
        self.assertFalse(terminal.left_styled or terminal.style, text)
        return terminal

    def assertOursPass(self, terminal):
        self.assertNotIn("u001B", terminal.text())
        self.assertNotIn("[0m", terminal.text())

    def run_small(self, text=SMALL_STUDY + EXPECTING):
        return self.shown(1, "run", self.study(text), "-o", "a.h5")

    def test_a_run_and_its_summary(self):
        for terminal in (self.run_small(), self.shown(0, "summary", "a.h5")):
            self.assertOursPass(terminal)
            self.assertIn("✗", terminal.styles()[BAD])
            self.assertIn("✓", terminal.styles()[GOOD])
            self.assertNotIn("  ", "".join(terminal.styles()[BAD]))
        self.assertOursPass(self.shown(0, "summary", "a.h5", "--verbose"))

    def test_the_last_screen_says_what_came_out(self):
        schemes = ["none", "index", "sinusoidal", "rope", "alibi", "t5", "shaw", "learned", "normalised-index"]
        asked = [(name, "axes = { length = [8] }") for name in ("uniqueness", "relative-shift", "norm-preservation")]
        terminal = self.shown(0, "run", self.study(study_text("small", schemes, asked)), "-o", "a.h5")
        last = terminal.text().splitlines()[-24:]
        begin = next(i for i, line in enumerate(last) if line.startswith("in short, of 9 rows"))
        for line, heading in zip(last[begin + 1:], ("own code", "relative", "norms")):
            self.assertRegex(line, f"^  {heading} +✓ \\d")
        self.assertIn(": rope", last[begin + 3])
        self.assertRegex(last[-1] or last[-2], r"^\d+ cells ok, \d+ skipped in ")

    def test_a_description_has_no_colour(self):
        study = study_text("small", ["index", "rope"], [("relative-shift", "axes = { length = [8] }")])
        terminal = self.shown(0, "run", self.study(study), "-o", "a.h5")
        for shown in (terminal, self.shown(0, "summary", "a.h5")):
            self.assertIn("✗", shown.text())
            self.assertFalse({GOOD, BAD} & {style for style, texts in shown.styles().items() if {"✓", "✗"} & set(texts)})

    def test_other_terminals(self):
        self.run_small()
        self.assertEqual(set(self.shown(0, "summary", "a.h5", term="xterm").styles()), {"1"})
        self.assertIn(GOOD, self.shown(0, "summary", "a.h5", term="xterm", COLORTERM="truecolor").styles())
        for plain in ({"term": "dumb"}, {"NO_COLOR": "1"}):
            self.assertEqual(self.shown(0, "summary", "a.h5", **plain).styles(), {})

    def test_what_strangers_wrote_stays_escaped(self):
        self.run_small()
        with h5py.File(self.scratch / "a.h5", "r+") as file:
            file.attrs["title"] = EVIL
            for column in ("variant", "sentence"):
                texts = file["answers"][column][()]
                texts[1] = EVIL.encode()
                file["answers"][column][...] = texts
            legends = file["answers/legend"][()]
            legends[0] = EVIL.encode()
            file["answers/legend"][...] = legends
        for words in ((), ("--verbose",)):
            terminal = self.shown(0, "summary", "a.h5", *words)
            text = " ".join(terminal.text().split())
            self.assertIn(r"\u001B[31mred\u000Aposlab: all is well\u202Edesrever\u2028 and so on", text)
            self.assertNotIn("\nposlab: all is well", terminal.text())
            self.assertNotIn("31", terminal.styles())
        faults = ["--plugins", BUILD / "faults/boasts"]
        for mode, code in (("evil_refusal", 0), ("evil_failure", 3)):
            study = self.study(study_text("small", [("boasts", f'set = {{ mode = "{mode}" }}')], [("uniqueness", "axes = { length = [8] }")]))
            terminal = self.shown(code, "run", study, "-o", f"{mode}.h5", "--verbose", *faults)
            self.assertIn(r"all is well\u202Edesrever\u2028", " ".join(terminal.text().split()))
            self.assertNotIn("31", terminal.styles())

    def test_check(self):
        self.assertOursPass(self.shown(0, "check", "rope"))
        terminal = self.shown(1, "check", BUILD / "faults/boasts/boasts.so", "--set", "mode=evil_failure")
        self.assertIn(r"all is well\u202Edesrever\u2028\xFF", " ".join(terminal.text().split()))

    def test_verify(self):
        study = self.study(SMALL_STUDY + EXPECTING)
        self.assertOursPass(self.shown(1, "verify", study))

    def test_status_and_compare(self):
        self.run_small()
        self.assertIn("complete", self.shown(0, "status", "a.h5").text())
        self.shown(1, "run", self.study(SMALL_STUDY.replace("seed = 7", "seed = 8") + EXPECTING), "-o", "b.h5")
        with h5py.File(self.scratch / "b.h5", "r+") as file:
            file["uniqueness/min_distance"][...] = 7
        self.assertOursPass(self.shown((1), "compare", "a.h5", "b.h5"))
        self.assertOursPass(self.shown((1), "compare", "a.h5", "b.h5", "--verbose"))

    def test_descriptions_and_the_list(self):
        for name in ("rope", "m-rope", "relative-shift", "uniqueness", "extrapolation"):
            self.assertOursPass(self.shown(0, "describe", name))
        self.shown(0, "list")

    def test_json_is_never_broken(self):
        for words in (("describe", "relative-shift"), ("find", "rope")):
            with self.subTest(words):
                self.assertGreater(len(self.shown_as_it_is(*words, "--json").widest()), COLUMNS)

    def shown_as_it_is(self, *arguments):
        return on_a_terminal([BINARY, *map(str, arguments)], os.environ | {"TERM": "xterm"}, self.scratch)[1]

    def test_ctrl_c(self):
        training = study_text("long", ["rope"], [("language-model", "axes = { steps = [20000] }")])  # longer than anybody waits: it is interrupted
        terminal = self.shown(130, "run", self.study(training), "-o", "long.h5", interrupt_at=b"step ")
        self.assertOursPass(terminal)
        self.assertIn("stopping", terminal.text())


if __name__ == "__main__":
    unittest.main()
