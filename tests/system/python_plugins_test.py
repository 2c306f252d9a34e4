# SPDX-License-Identifier: Apache-2.0
"""Schemes that are Python files: the ten lines of the page, wherever a plugin may stand."""

import importlib.util
import json
import os
import re
import sys
import unittest

import h5py
import numpy
from poslab_case import BUILD, SOURCE, PoslabCase

os.environ["POSLAB_PYTHON"] = sys.executable
os.environ.setdefault("POSLAB_LIBRARY", str(BUILD / "lib/libposlab.so"))
sys.path.insert(0, str(SOURCE / "results/python"))

import poslab  # noqa: E402

PAGE = (SOURCE / "core/sdk/writing-a-scheme-in-python.md").read_text()
LOG_DISTANCE, LEARNED_DISTANCE = re.findall(r"```python\n(.*?)```", PAGE, re.S)
HAS_TORCH = importlib.util.find_spec("torch") is not None

ROTARY = """
import numpy as np, poslab

@poslab.define(id="np-rope", claims={"isometry", "relative", "content_free", "length_free", "bounded"}, real_positions=True)
class NpRope:
    base = poslab.real(10000.0, above=1)
    pairing = poslab.choice("interleaved", ["interleaved", "half-split"])
    rotary_width = poslab.integer(None, at_least=0)
    rotary_part = poslab.choice("first", ["first", "last"])

    def prepare(self, head_width):
        width = head_width if self.rotary_width is None else self.rotary_width
        self.frequency = self.base ** (-np.arange(0, width, 2) / width)

    def inverse_frequency(self):
        return self.frequency

    def rotate(self, positions):
        return positions[:, None] * self.frequency
"""

T5 = """
import numpy as np, poslab

@poslab.define(id="np-t5", family="bias", claims={"relative", "content_free", "length_free"}, logit_scale=1.0)
class NpT5:
    buckets = poslab.integer(32, at_least=4)
    max_distance = poslab.integer(128)
    table = poslab.weight(("buckets", "heads"), init=("normal", 1.0))

    def bias(self, q, k, causal):
        offset = k[None, :].astype(int) - q[:, None].astype(int)
        buckets = self.buckets if causal else self.buckets // 2
        distance = np.maximum(-offset, 0) if causal else abs(offset)
        exact = buckets // 2
        ratio = np.log(np.maximum(distance, 1).astype(np.float32) / np.float32(exact)) / np.float32(np.log(self.max_distance / exact))
        far = np.minimum(exact + (ratio * (buckets - exact)).astype(int), buckets - 1)
        row = np.where(distance < exact, distance, far) + (0 if causal else buckets * (offset > 0))
        return np.moveaxis(self.table[row], -1, 0)
"""

SHAW = """
import numpy as np, poslab

@poslab.define(id="np-shaw", claims={"relative", "length_free"})
class NpShaw:
    clip = poslab.integer(16, at_least=1)

    def weights(self, head_width):
        rows = (2 * self.clip + 1, head_width)
        return {"keys": poslab.weight(rows, init=("normal", 1.0)), "values": poslab.weight(rows, init=("normal", 1.0))}

    def _rows(self, q, k):
        return (np.clip(k[None, :] - q[:, None], -self.clip, self.clip) + self.clip).astype(int)

    def score(self, query, q, k, weights, scale):
        return scale * np.einsum("hqd,qkd->hqk", query, weights["keys"][self._rows(q, k)])

    def mix(self, attention, q, k, weights):
        return np.einsum("hqk,qkd->hqd", attention, weights["values"][self._rows(q, k)])
"""

STUDY = """
format = 1
title = "Python and C++"
model = {{ d_model = 32, heads = 4 }}
[[scheme]]
use = "{scheme}"
axes = {{ base = [100.0, 10000.0] }}
[[experiment]]
use = "relative-shift"
axes = {{ length = [16] }}
[[experiment]]
use = "norm-preservation"
[[experiment]]
use = "first-position-bias"
axes = {{ length = [16] }}
repeats = 3
"""


class PythonCase(PoslabCase):
    def write(self, text, name="log_distance.py"):
        path = self.scratch / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    def measures(self, output):
        """{experiment/measure: numbers}, of the cells in their order."""
        found = {}
        with h5py.File(self.scratch / output) as file:
            for name, group in file.items():
                if isinstance(group, h5py.Group) and "status" in group:
                    self.assertEqual(set(group["status"][:]) - {0}, set(), group["message"].asstr()[:])
                    found |= {f"{name}/{each}": data[...] for each, data in group.items() if "null_value" in data.attrs}
        return found


class TenLines(PythonCase):
    def test_as_printed_they_are_checked_described_and_tabulated(self):
        self.write(LOG_DISTANCE)
        said = self.expect(0, "check", "log_distance.py", "--only", "table,creates,returns,quiet,repeatable,threads,bounds,finite,relative,symmetric")
        self.assertIn("10 passed, 0 failed", said)
        self.assertIn("log-distance: LogDistance, version 1", self.expect(0, "describe", "log_distance.py"))
        self.expect(0, "table", "log_distance.py", "--heads", "4", "--positions", "0:16", "-o", "a.h5")
        at = numpy.arange(16.0)
        expected = -(2.0 ** -numpy.arange(4))[:, None, None] * numpy.log1p(abs(at[:, None] - at[None, :]))
        with h5py.File(self.scratch / "a.h5") as table:
            numpy.testing.assert_array_equal(table["position_bias"][...], expected)

    def test_a_file_that_poslab_new_writes_passes_its_checks(self):
        for family in ("additive", "rotary", "bias"):
            with self.subTest(family):
                self.assertIn(f"poslab check ./my_{family}.py", self.expect(0, "new", "scheme", f"my-{family}", "--family", family, "--python"))
                said = self.expect(0, "check", f"my_{family}.py", "--only", "creates,finite,isometry,relative,symmetric,content-free,bounded")
                self.assertIn(" 0 failed", said)
                self.assertIn("is there already", self.expect(2, "new", "scheme", f"my-{family}", "--python"))

    def findings(self, code, *words):
        found, = json.loads(self.expect(code, "check", *words, "--json"))
        return {one["check"]: one for one in found["checks"]}

    def test_one_process_opens_it_for_all_checks(self):
        self.write("import os\nopen('opened', 'a').write(f'{os.getpid()}\\n')\n" + LOG_DISTANCE)
        found = self.findings(0, self.scratch / "log_distance.py", "--time-limit", "120")
        self.assertEqual({one["result"] for one in found.values()}, {"passed", "not performed"})
        self.assertGreater(len(found), 30)
        # One for the checks and the second one of `repeatable`, and perhaps one by which the findings are kept.
        self.assertIn(len((self.scratch / "opened").read_text().split()), (2, 3))

    def test_a_check_that_its_process_does_not_survive_leaves_the_others_alone(self):
        for what, words in (("os.kill(os.getpid(), 11)", "was ended by SIGSEGV"), ("os.kill(os.getppid(), 11)", "died of SIGSEGV"),
                            ("time.sleep(1000)", "did not come back within 10 s")):
            with self.subTest(what):
                self.write("import os, time\n" + LOG_DISTANCE.replace("def bias(self, q, k, heads):", f"""def bias(self, q, k, heads):
        if abs(q).max(initial=0) > 1e9:
            {what}"""))
                checks = ("table", "creates", "returns", "far", "limits", "precision", "bounded", "causal")
                found = self.findings(1, "log_distance.py", "--only", ",".join(checks), "--time-limit", "10")
                self.assertIn(words, found["far"]["sentence"])
                for name, one in found.items():
                    self.assertIn(one["result"], ("failed", "not performed") if name in ("far", "bounded") else ("passed",), one)

    def test_a_gate_that_fails_ends_the_checks(self):
        self.write(LOG_DISTANCE.replace("slope = self", "return 1 / 0\n        slope = self"))
        found = self.findings(1, "log_distance.py")
        self.assertEqual(found["returns"]["result"], "failed")
        self.assertEqual({one["sentence"] for name, one in found.items() if name in ("parameters", "finite", "causal")},
                         {"rests on returns, which failed"})

    def test_what_it_prints_when_it_is_opened_or_asked_is_told_by_quiet_alone(self):
        for text in ("print('hello')\n" + LOG_DISTANCE, LOG_DISTANCE.replace("slope = self", "print('hello')\n        slope = self")):
            self.write(text)
            found = self.findings(1, "log_distance.py", "--only", "table,creates,returns,errors,quiet,finite")
            self.assertEqual([name for name, one in found.items() if one["result"] == "failed"], ["quiet"])
            self.assertIn("hello", found["quiet"]["sentence"])
        self.write(LOG_DISTANCE.replace("slope = self", "if heads == 5: print('hello')\n        slope = self"))
        self.findings(0, "log_distance.py", "--only", "table,finite,quiet,causal", "--heads", "4", "--d-model", "32")

    def test_a_claim_that_is_wrong_is_refuted(self):
        self.write(LOG_DISTANCE.replace('"symmetric"', '"bounded"'))
        self.assertIn("FAIL  bounded", self.expect(1, "check", "log_distance.py", "--only", "bounded"))

    def test_from_python_they_are_what_they_compute(self):
        scheme = poslab.scheme(self.write(LOG_DISTANCE), d_model=64, heads=8, first_slope=0.5)
        at = numpy.arange(6.0)
        expected = -0.5 * (2.0 ** -numpy.arange(8))[:, None, None] * numpy.log1p(abs(at[:, None] - at[None, :]))
        numpy.testing.assert_array_equal(scheme.bias(at, at), expected)
        numpy.testing.assert_array_equal(scheme.bias(at.astype("float32"), at), expected)
        self.assertEqual(set(scheme.claims), {"relative", "content_free", "length_free", "symmetric"})

    def test_t5_and_shaw_in_numpy_are_their_twins_with_the_same_weights(self):
        at = numpy.arange(300.0)
        for causal in (True, False):
            mine = poslab.scheme(self.write(T5), d_model=64, heads=4)
            twin = poslab.scheme("t5", d_model=64, heads=4, bidirectional=not causal)
            weights = mine.draw(1)
            numpy.testing.assert_array_equal(mine.bias(at, at, weights=weights, causal=causal),
                                             twin.bias(at, at, weights=weights, causal=causal))
        drawn = numpy.random.default_rng(0)
        query, key, value = drawn.standard_normal((3, 4, 40, 16))
        mine, twin = poslab.scheme(self.write(SHAW), d_model=64, heads=4), poslab.scheme("shaw", d_model=64, heads=4)
        weights = mine.draw(1)
        theirs = {"relative_keys": weights["keys"], "relative_values": weights["values"]}
        for causal in (True, False):
            numpy.testing.assert_allclose(mine.attend(query, key, value, at[:40], weights=weights, causal=causal),
                                          twin.attend(query, key, value, at[:40], weights=theirs, causal=causal), atol=1e-14)

    def test_each_call_is_given_facts_and_memory_of_its_own(self):
        self.write("""import poslab
@poslab.define(id="mine")
class Mine:
    def encode(self, positions, length):
        self.seen = [*getattr(self, "seen", []), positions]
        return sum(self.seen)[:, None] + 1000 * length
""", "mine.py")
        mine = poslab.scheme(self.scratch / "mine.py", d_model=1, heads=1)
        self.assertEqual([mine.encode([each]).item() for each in (1, 10)], [1001, 1011])
        self.assertEqual([mine.encode([100], length=each).item() for each in (5, 6)], [5111, 6211])

    def test_arguments_are_given_by_name_whatever_stands_between_them(self):
        scheme = poslab.scheme(self.write("""import numpy as np, poslab
@poslab.define(id="named", claims={"relative"})
class Named:
    def bias(self, k, power=0.5, d_model=64, *, q, heads):
        return np.zeros((heads, 1, 1)) - abs(q[:, None] - 2 * k[None, :]) ** power / d_model
"""), d_model=16, heads=4)
        at = numpy.arange(4.0)
        numpy.testing.assert_array_equal(scheme.bias(at, at)[0], -abs(at[:, None] - 2 * at) ** 0.5 / 16)

    def test_a_transform_that_mixes_heads_has_its_gradient(self):
        self.write("""import numpy as np, poslab
@poslab.define(id="mixes", claims={"content_free"})
class Mixes:
    def transform(self, x, positions):
        return x + 0.5 * x.mean(0, keepdims=True) * np.cos(positions)[:, None]
""", "mixes.py")
        self.assertIn("3 passed, 0 failed", self.expect(0, "check", "mixes.py", "--only", "gradients,linear,split"))

    def test_a_folder_of_plugins_has_those_files_that_define_a_scheme(self):
        self.write(LOG_DISTANCE, "mine/log_distance.py")
        self.write("raise SystemExit('this is no plugin, and nobody runs it')", "mine/setup.py")
        said = self.expect(0, "list", "--plugins", "mine")
        self.assertIn("log-distance", said)
        self.assertNotIn("setup", said)


class Pythons(PythonCase):
    def used(self, *arguments, **variables):
        """Which of two Pythons, called `named` and `usual`, a command runs; the latter is python3 of the PATH."""
        for name in ("named", "usual"):
            program = self.write(f"#!/bin/sh\n: > {self.scratch}/{name}.used\nexec {sys.executable} \"$@\"\n", f"{name}/python3")
            program.chmod(0o755)
        before = dict(os.environ)
        try:
            os.environ.pop("POSLAB_PYTHON")
            os.environ.update(variables, PATH=f"{self.scratch}/usual:{os.environ['PATH']}")
            self.expect(0, *arguments)
        finally:
            os.environ.clear()
            os.environ.update(before)
        used = sorted(file.stem for file in self.scratch.glob("*.used"))
        for name in used:
            (self.scratch / f"{name}.used").unlink()
        return used

    def test_schemes_are_run_by_that_of_the_path_and_reports_by_that_of_the_build_unless_one_is_named(self):
        self.write(LOG_DISTANCE)
        describe, report = ("describe", "log_distance.py"), ("report", "--empty", "-o", "page.html")
        named = {"POSLAB_PYTHON": str(self.scratch / "named/python3")}
        self.assertEqual(self.used(*describe), ["usual"])
        self.assertEqual(self.used(*report), [])
        self.assertEqual(self.used(*describe, **named), ["named"])
        self.assertEqual(self.used(*report, **named), ["named"])


class Studies(PythonCase):
    def test_a_rotary_scheme_has_the_numbers_of_its_twin_in_cpp(self):
        self.write(ROTARY, "np_rope.py")
        self.expect(0, "run", self.study(STUDY.format(scheme="np_rope.py"), "a.toml"), "--threads", "2")
        self.expect(0, "run", self.study(STUDY.format(scheme="rope"), "b.toml"))
        ours, theirs = self.measures("a.h5"), self.measures("b.h5")
        self.assertEqual(ours.keys(), theirs.keys())
        for name, numbers in ours.items():
            numpy.testing.assert_allclose(numbers, theirs[name], rtol=1e-9, atol=1e-9, err_msg=name)

    def test_the_last_part_of_a_head_rotates_as_in_cpp(self):
        self.write(ROTARY, "np_rope.py")
        last = STUDY.replace("base = [100.0, 10000.0]", 'rotary_width = [4], rotary_part = ["last"]')
        for scheme, output in (("np_rope.py", "a"), ("rope", "b")):
            self.expect(0, "run", self.study(last.format(scheme=scheme), f"{output}.toml"))
        ours, theirs = self.measures("a.h5"), self.measures("b.h5")
        for name, numbers in ours.items():
            numpy.testing.assert_allclose(numbers, theirs[name], rtol=1e-9, atol=1e-9, err_msg=name)
        self.assertIn("less than the head width", self.poslab("table", "np_rope.py", "--set", "rotary_part=last").stderr)

    def test_workers_and_shards_change_no_bit(self):
        self.write(ROTARY, "np_rope.py")
        study = self.study(STUDY.format(scheme="np_rope.py"), "a.toml")
        self.expect(0, "run", study)
        self.expect(0, "run", study, "-o", "b.h5", "--workers", "2", "--threads", "4")
        for shard in ("1/2", "2/2"):
            self.expect(0, "run", study, "-o", "c.h5", "--shard", shard)
        self.expect(0, "merge", "-o", "c.h5", *sorted(self.scratch.glob("c.*.h5.journal")))
        for output in ("b.h5", "c.h5"):
            self.assertEqual(self.poslab("compare", "--exact", "a.h5", output).returncode, 0)

    def test_kept_while_file_and_modules_are_the_same(self):
        text = LOG_DISTANCE.replace("import numpy as np, poslab", "import numpy as np, poslab\nfrom slopes import slope_of")
        self.write(text.replace("2.0 ** -np.arange(heads)", "slope_of(heads)"))
        self.write("import numpy\ndef slope_of(heads):\n    return 2.0 ** -numpy.arange(heads)\n", "slopes.py")
        study = self.study("""format = 1
title = "a"
model = { d_model = 32, heads = 4 }
scheme = [{ use = "log_distance.py" }]
experiment = [{ use = "uniqueness", axes = { length = [8] } }, { use = "relative-shift", axes = { length = [8] } }]
""")
        self.expect(0, "run", study)
        kept = r"(\d+) of \d+ cells are kept"
        count = int(re.search(kept, self.expect(0, "run", study)).group(1))
        self.assertGreater(count, 0)
        self.write((self.scratch / "slopes.py").read_text().replace("2.0", "3.0"), "slopes.py")
        said = self.expect(0, "run", study, "--plan", "--verbose")
        self.assertRegex(said, r"slopes\.py")
        self.assertNotRegex(self.expect(0, "run", study), kept)

    def test_layers_and_dictionaries_name_files_too(self):
        self.write(LOG_DISTANCE)
        os.environ["POSLAB_PROGRAM"] = str(BUILD / "bin/poslab")
        before = os.getcwd()
        os.chdir(self.scratch)
        try:
            run = poslab.run({"format": 1, "title": "layers", "model": {"d_model": 32, "heads": 4},
                              "scheme": [{"layers": ["log_distance.py", "none"]}, {"use": "log_distance.py"}],
                              "experiment": [{"use": "first-position-bias", "axes": {"length": [16]}, "repeats": 2}]}, "a.h5", progress=False)
            self.assertEqual(len(run.failures), 0)
        finally:
            os.chdir(before)

    def test_a_file_that_is_not_there_is_named_with_its_line(self):
        said = self.expect(2, "run", self.study(STUDY.format(scheme="missing.py")))
        self.assertRegex(said, r'study\.toml:6:\d+: "missing.py" offers no scheme')


@unittest.skipUnless(HAS_TORCH, "PyTorch is not installed")
class Torch(PythonCase):
    def test_as_printed_it_has_the_right_gradients_and_trains(self):
        self.write(LEARNED_DISTANCE, "learned_distance.py")
        self.assertIn("2 passed", self.expect(0, "check", "learned_distance.py", "--only", "gradients,repeatable", "--time-limit", "120"))
        self.expect(0, "run", self.study("""format = 1
title = "trains"
model = { d_model = 32, heads = 4 }
scheme = [{ use = "learned_distance.py" }]
[[experiment]]
use = "language-model"
axes = { steps = [6], train_length = [16], layers = [1], batch = [2], warm_up = [2] }
repeats = 1
"""))


if __name__ == "__main__":
    unittest.main()
