# SPDX-License-Identifier: Apache-2.0
"""The text and the JSON of commands say the same: every number of the text is a value of the JSON. core/app/json.md and
the manual have all keys, and no others."""

import json
import re
import shutil
import unittest

import numpy
from poslab_case import SOURCE, PoslabCase

PAGE = (SOURCE / "core/app/json.md").read_text()
CONFIGURATIONS = SOURCE / "tests/unit/import/configurations"
A_NUMBER = re.compile(r"(?<![\w.^/-])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w/-]|\.\d)")
# What texts say beside such numbers: words, a number made of another one, the time that checks took in another run.
WORDS = (r"2\^\(-8 h / H\)", r"as at position 0", r"codes of 0 to \d+ differ", r"transformers [45]", r", in [\d.]+ s")
SHORTENED = re.compile(r"(?<=\S)  +\S.*\.\.\.$", re.MULTILINE)  # what `find` shows of a sentence
# Keys of rare facts, for which unit tests exist.
RARE = {("status", "journals[].state.cells_per_second"), ("status", "journals[].state.seconds_left"),
        ("status", "journals[].checkpoints[].experiment"), ("status", "journals[].checkpoints[].variant"),
        ("status", "journals[].checkpoints[].done"), ("status", "journals[].checkpoints[].total"),
        ("status", "journals[].checkpoints[].says"), ("status", "journals[].checkpoints[].kept"),
        ("check", "[].checks[].unclaimed.claim"), ("check", "[].checks[].unclaimed.attacks"), ("identify", "expected.slip.array"), ("place", "batch")}


def page_keys():
    """{section: {path: section of the object there, or None}}; a list's path has no [] at its end."""
    sections = {}
    for section in PAGE.split("\n## ")[1:]:
        keys = sections.setdefault(section.partition("\n")[0], {})
        for names, value in re.findall(r"^\| (`.*?) \| (.*)\|$", section, re.MULTILINE):
            prefix, link = "", re.search(r"\(#(\w+)\)", value)
            for name in re.findall(r"`(.*?)`", names):
                path = prefix + name if name.startswith(".") else name
                prefix = path.rpartition(".")[0] if not path.endswith(".*") else path[:-2].rpartition(".")[0]
                keys[path.removesuffix("[]")] = link and link[1]
    sections["describe"] |= sections["scheme"] | sections["experiment"]
    return sections


KEYS = page_keys()


def leaves(value):
    """Numbers, lengths of lists, and texts; the sentences of facts are told from the facts' values."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, (int, float)):
        yield float(value)
    elif isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield float(len(value))
        for one in value:
            yield from leaves(one)
    else:
        declared = {"name", "check"} & value.keys()
        for key, one in value.items():
            if key != "difference" and (key != "sentence" or declared):
                yield from leaves(one)


def is_said(word, numbers):
    """Whether a number of the text is one of `numbers`, as rounded as it stands there."""
    digits, _, exponent = word.partition("e")
    half = 0.5 * 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))
    return any(number == float(word) or (number % 1 and abs(number - float(word)) <= 1.001 * half) for number in numbers)


def unsaid(text, found):
    """Numbers of the text that the JSON does not have."""
    said = list(leaves(found))
    numbers = {float(one) for one in said if not isinstance(one, str) or A_NUMBER.fullmatch(one)}
    text = " ".join(SHORTENED.sub("", text).split())
    for one in sorted({" ".join(one.split()) for one in said if isinstance(one, str)}, key=len, reverse=True):
        if re.search(r"\d", one) and not A_NUMBER.fullmatch(one):
            text = text.replace(one, "")
    text = re.sub("|".join(WORDS), "", text)
    return [word for word in A_NUMBER.findall(text) if not is_said(word, numbers)]


class Json(PoslabCase):
    def setUp(self):
        super().setUp()
        self.seen, self.unknown = set(), set()

    def walk(self, value, places, shared=()):
        """`places`: (section, path) under which the page may have the keys of `value`; `shared`: sections of its objects."""
        if isinstance(value, list):
            for one in value:
                self.walk(one, [(section, path + "[]") for section, path in places], shared)
        elif isinstance(value, dict):
            places = [*places, *((section, "") for section in shared)]
            if free := {(section, path + ".*") for section, path in places if path + ".*" in KEYS[section]}:
                self.seen |= free
                return
            for key, one in value.items():
                below = [(section, f"{path}.{key}".removeprefix(".")) for section, path in places]
                known = [(section, path) for section, path in below
                         if path in KEYS[section] or any(each.startswith((path + ".", path + "[]")) for each in KEYS[section])]
                self.seen |= set(known)
                if not known:
                    self.unknown.add(below[0])
                self.walk(one, known, [KEYS[section][path] for section, path in known if KEYS[section].get(path)])

    def compare(self, section, *words):
        """Text and JSON of a command, which are made of the same facts."""
        with self.subTest(" ".join(map(str, words))):
            text, done = self.poslab(*words), self.poslab(*words, "--json")
            self.assertEqual(done.returncode, text.returncode, done.stderr)
            found = json.loads(done.stdout)
            self.assertEqual(unsaid(text.stdout, found), [], text.stdout)
            self.walk(found, [(section, "")])

    def assert_on_page(self, *sections):
        self.assertEqual(self.unknown, set(), "keys that core/app/json.md does not have")
        written = {(section, path) for section in sections for path in KEYS[section]}
        self.assertEqual(written - self.seen - RARE, set(), "keys that no command prints")

    def test_status(self):
        self.study()
        for output, shards in (("a.h5", ("1/3", "3/3")), ("b.h5", ("1/2", "2/2"))):
            for shard in shards:
                self.expect(0, "run", "study.toml", "-o", output, "--shard", shard)
        shutil.copy(self.scratch / "b.1-of-2.h5.journal", self.scratch / "a.2-of-40.h5.journal")
        self.compare("status", "status", "a.h5")
        self.compare("status", "status", "b.h5")
        self.assert_on_page("status")

    def test_check(self):
        (self.scratch / "no.so").write_text("no library")
        self.compare("check", "check", "./no.so")
        self.compare("check", "check", "alibi", "none", "--only", "table,relative,isometry,gradients")
        self.compare("check --list", "check", "--list")
        self.assert_on_page("check", "check --list")

    def test_list_describe_and_find(self):
        self.compare("list", "list")
        listed = json.loads(self.poslab("list", "--json").stdout)
        for one in listed["schemes"] + listed["experiments"]:
            self.compare("describe", "describe", one["id"])
        self.compare("describe", "describe", "rope", "--set", "factor=2")
        self.compare("find", "find", "length", "--all")
        self.assert_on_page("list", "describe", "find", "scheme", "experiment", "quantity")

    def test_identify(self):
        rates = (1e4 ** (-numpy.arange(0, 32, 2) / 32)).astype("f4")
        coarse = (rates.view("u4") + 0x8000 & 0xFFFF0000).view("f4")  # as bfloat16
        for name, first, frequencies in (("rotary", 0, rates), ("later", 1, rates), ("coarse", 0, coarse)):
            angles = numpy.outer(numpy.arange(first, 300, dtype="f4"), frequencies)
            numpy.savez(self.scratch / name, cos=numpy.cos(angles), sin=numpy.sin(angles))
        contents = numpy.random.default_rng(1).standard_normal((3, 8, 9, 16))
        slopes, back = 2.0 ** -numpy.arange(1, 9)[:, None, None], numpy.subtract.outer(numpy.arange(9), numpy.arange(9))
        logits = contents[0] @ contents[1].transpose(0, 2, 1)
        shares = numpy.exp(numpy.where(back >= 0, logits / 4 - slopes * back, -numpy.inf))
        query, key, value = contents
        numpy.savez(self.scratch / "masked", bias=numpy.where(back >= 0, -slopes * back, -65504))
        numpy.savez(self.scratch / "logits", q=query, k=key, logits=numpy.where(back >= 0, logits - slopes * back, -numpy.inf))
        numpy.savez(self.scratch / "outputs", q=query, k=key, v=value, output=shares / shares.sum(-1, keepdims=True) @ value)
        turns = numpy.outer(numpy.arange(10), 1e4 ** (-numpy.arange(0, 16, 2) / 16))
        def turned(x, turns):
            return numpy.concatenate([x[..., :8] * numpy.cos(turns) - x[..., 8:] * numpy.sin(turns),
                                      x[..., 8:] * numpy.cos(turns) + x[..., :8] * numpy.sin(turns)], -1)
        numpy.savez(self.scratch / "key", q=query, q_rot=turned(query, turns[:9]), k=key, k_rot=turned(key, turns[1:]))
        for words in (("rotary.npz",), ("rotary.npz", "--expect", "rope(base=500000)"), ("rotary.npz", "--expect", "rope(rotary_width=3)"),
                      ("later.npz",), ("coarse.npz",), ("masked.npz",), ("logits.npz", "--expect", "alibi"), ("outputs.npz",), ("key.npz",)):
            self.compare("identify", "identify", *words)
        self.assert_on_page("identify", "fit", "place")

    def test_import(self):
        for configuration in sorted(CONFIGURATIONS.glob("*.json")):
            self.compare("import", "import", configuration)
        self.assert_on_page("import")

    def test_version(self):
        self.walk(json.loads(self.poslab("--version", "--json").stdout), [("--version", "")])
        self.assert_on_page("--version")

    def test_the_manual_has_the_keys(self):
        manual = self.poslab("manual").stdout.replace("\\-", "-")
        for command in ("status", "check", "list", "describe", "find", "identify", "import"):
            found = re.search(rf'\.SS "poslab {command}: .*?^JSON: (.*?)$', manual, re.MULTILINE | re.DOTALL)
            keys = {re.match(r"(?:\[\]\.)?(\w+)", path)[1] for path in KEYS[command]}
            self.assertEqual(keys, set(re.findall(r"\w+", found[1])), command)


if __name__ == "__main__":
    unittest.main()
