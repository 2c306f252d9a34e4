# SPDX-License-Identifier: Apache-2.0
"""Python files that are wrong, crash, hang, fork, print and eat without end: a sentence with file and line, the sound cells as they
would have been, and nothing left behind."""

import os
import signal
import subprocess
import sys
import time
import unittest

import h5py
import numpy
from poslab_case import BINARY, BUILD, SOURCE, PoslabCase
from survival import is_sanitized, wait_until_alone

os.environ["POSLAB_PYTHON"] = sys.executable
os.environ.setdefault("POSLAB_LIBRARY", str(BUILD / "lib/libposlab.so"))
sys.path.insert(0, str(SOURCE / "results/python"))

import poslab  # noqa: E402

# A scheme whose bias is right, but for what a test puts in its lines.
SCHEME = """import numpy as np, poslab
{top}
@poslab.define(id="mine", claims={{"relative"}}{define})
class Mine:
    slope = poslab.real(1.0, at_least=0)
    {member}
    def bias(self, q, k, heads, length):
        {body}
        return np.zeros((heads, len(q), len(k))) - self.slope * abs(q[:, None] - k[None, :])
"""
DIES = "if length == 12: "
STUDY = """
format = 1
title = "a Python file that misbehaves"
model = { d_model = 32, heads = 4 }
scheme = [{ use = "mine.py" }, { use = "alibi" }]
[[experiment]]
use = "relative-shift"
axes = { length = [8, 12, 16] }
repeats = 1
"""

# What is wrong with a file that cannot be opened, and what is said.
MISTAKES = {
    "no module": (dict(top="import no_such_module"), "mine.py:2: No module named 'no_such_module'"),
    "syntax": (dict(top="def f(:"), "mine.py:2: SyntaxError"),
    "an exception": (dict(top="1 / 0"), "mine.py:2: ZeroDivisionError: division by zero"),
    "exit": (dict(top="raise SystemExit(3)"), "mine.py:2: SystemExit: 3"),
    "dies": (dict(top="import os; os._exit(7)"), "its Python process ended with exit code 7"),
    "falls": (dict(top="import ctypes; ctypes.string_at(8)"), "its Python process was ended by SIGSEGV (segmentation fault)"),
    "a mask": (dict(define=', mask="casual"'), "there is no mask 'casual'; did you mean causal?"),
    "a claim": (dict(member='claims = {"relatve"}'), "there is no claim 'relatve'; did you mean relative?"),
    "no method": (dict(top='@poslab.define(id="other")\nclass Other: pass'), "mine.py:2: Other has none of the methods encode, transform"),
    "a word of define": (dict(define=", unique_upto=3"), "mine.py:3: define knows no 'unique_upto'; did you mean unique_up_to?"),
    "a misspelt method": (dict(member="def encod(self, positions): return positions"), "Mine has a method encod, which nobody calls; did you "
                                                                                      "mean encode?"),
    "an unknown argument": (dict(member="def encode(self, position): return position"), "Mine.encode asks for 'position'; did you mean "
                                                                                       "positions?"),
    "a static method": (dict(member="encode = staticmethod(lambda positions: positions)"),
                        "Mine.encode is a staticmethod; it must be a method"),
    "a wrapped method": (dict(member="encode = __import__('functools').lru_cache(lambda self, positions: 0)"), "Mine.encode is a _lru_cache_wrapper"),
    "a parameter's name": (dict(member="mask = poslab.flag(True)"), "has a parameter mask, which is what define calls something else"),
    "a real extent": (dict(member='w = poslab.weight(("slope",))'), "a weight's extent is the parameter slope, whose value is 1.0"),
    "a default that is none": (dict(member="steep = poslab.real(float('nan'))"), "steep's default is nan; a finite number is wanted"),
    "a trait that is none": (dict(member="logit_scale = float('inf')"), "logit scale is inf; a finite number is wanted"),
    "a weight that is none": (dict(member='w = poslab.weight((3,), init=float("nan"))'), "w's first is nan; a finite number is wanted"),
    "a default beyond": (dict(member="steep = poslab.real(-1.0, at_least=0)"), 'parameter "steep" has a default outside its range'),
    "a weight's init": (dict(member='w = poslab.weight((3,), init=("gaussian", 1))'), "a weight's init is ('gaussian', 1)"),
    "an extent": (dict(member='w = poslab.weight(("hats",))'), "'hats' is no extent of a weight"),
    "a version that is no text": (dict(define=", version=2"), "version is 2; it is a text"),
    "a word for yes": (dict(define=", real_positions=1"), "real_positions is 1; it is True or False"),
    "a choice that is no text": (dict(member='c = poslab.choice(1, [1, 2])'), "a choice is among 1; choices are texts"),
    "a choice of none": (dict(member='c = poslab.choice("c", ["a", "b"])'), "the default of a choice is 'c'; it is one of a, b"),
    "a flag that is a number": (dict(member="f = poslab.flag(1)"), "the default of a parameter of kind flag is 1; it is True or False"),
    "an integer that is a flag": (dict(member="n = poslab.integer(True)"), "of kind integer is True; it is a whole number"),
    "a number that is a text": (dict(member='x = poslab.real("1.0")'), "of kind real is '1.0'; it is a number"),
    "a weight of layers": (dict(member='w = poslab.weight((3,), per_layer=1)'), "a weight's per_layer is 1; it is True or False"),
    "a weight's name": (dict(member='logit_scale = poslab.weight((3,))'), "Mine has a weight logit_scale, which is what define calls something else"),
    "a member of define": (dict(member='version = "7"'), "Mine has a member version, which nobody reads: say version=... in define"),
    "a bias beside a score": (dict(define=", score_writes_logits=True", member="def score(self, logits): return logits"),
                              "Mine has a bias beside a score that writes the logits anew"),
    "two schemes": (dict(top='@poslab.define(id="other")\nclass Other:\n    def encode(self, positions): pass'), "defines 2 schemes (other, mine)"),
}

# What a bias does where the length is 12, and the message of that cell.
WRONG = {
    "an exception": ("raise ValueError('my table of secrets is gone')", "mine.py:8: ValueError: my table of secrets is gone"),
    "a shape": ("return np.zeros((2, 3))", "mine.py:7: Mine.bias returned [2, 3], and [heads, Nq, Nk] = [4, 12, 12] is wanted"),
    "an order": ("return np.zeros((len(q), len(k) + 1, heads))", "Mine.bias returned [12, 13, 4]"),
    "a type": ("return np.full((heads, len(q), len(k)), 1j)", "Mine.bias returned numbers of the type complex128"),
    "a smaller type": ("return np.zeros((heads, len(q), len(k)), 'float32')", "Mine.bias returned float32 where the run computes in float64"),
    "a mask": ("return np.ma.masked_less(np.zeros((heads, len(q), len(k))), 1)", "Mine.bias returned a masked array"),
    "nothing": ("return None", "Mine.bias returned []"),
    "not a number": ("return np.full((heads, len(q), len(k)), np.nan)", "nan"),
    "exit": ("raise SystemExit(3)", "mine.py:8: SystemExit: 3"),
    "dies": ("import os; os._exit(7)", "its Python process ended with exit code 7"),
    "falls": ("import ctypes; ctypes.string_at(8)", "its Python process was ended by SIGSEGV (segmentation fault)"),
    "sends what is no answer": ("import os; [os.write(fd, b'x' * 64) for fd in range(3, 40) if _is_open(fd)]", "its Python process"),
    "a late import": ("import helper", "mine.py: imports helper.py only when it is asked something"),
    "a kill": ("import os; os.kill(os.getpid(), 9)", "its Python process was killed by signal 9, which poslab did not send; "),
    "another rounding": ("_mode(0x800)", "floating-point mode, which rounds up"),
    "rounding down": ("_mode(0x400)", "floating-point mode, which rounds down"),
    "rounding towards zero": ("_mode(0xc00)", "floating-point mode, which rounds towards zero"),
    "another rounding, and an exception": ("_mode(0x800); 1 / 0", "mine.py:8: ZeroDivisionError"),
    "no memory": ("np.ones(1 << 44)", "not enough memory"),
}

HARMLESS = {
    "prints": "print('hello' * 100)",
    "reads": "import sys; sys.stdin.read()",
    "forks": "import os; os.fork()",
    "leaves a child": "import subprocess; subprocess.Popen(['sleep', '1000'], start_new_session=True)",
    "leaves a thread": "import threading, time; threading.Thread(target=time.sleep, args=(1000,)).start()",
    "changes directory": "import os; os.chdir('/')",
    "rounds otherwise, and back": "import ctypes; m = ctypes.CDLL('libm.so.6'); m.fesetround(0x800); m.fesetround(0)",
    "ignores signals": "import signal; [signal.signal(each, signal.SIG_IGN) for each in (2, 15)]",
}


def scheme(top="", define="", member="", body="pass"):
    return SCHEME.format(top=top, define=define, member=member, body=body)


class Containment(PoslabCase):
    def tearDown(self):
        self.assertEqual(wait_until_alone(self.scratch), {}, "processes live on")

    def write(self, text):
        (self.scratch / "mine.py").write_text(text)

    def run_with(self, body, code, *options, top=""):
        """A run of the file, whose bias does `body` where the length is 12; {length: (status, message)} of its cells."""
        self.write(scheme(body=DIES + body if body else "pass", top=top))
        (self.scratch / "helper.py").write_text("")
        said = self.expect(code, "run", self.study(STUDY), "-o", "a.h5", "--fresh", *options)
        self.assertNotIn("Traceback", said)
        with h5py.File(self.scratch / "a.h5") as file:
            group = file["relative-shift"]
            rows = zip(group["scheme"].asstr()[:], group["length"][:], group["status"][:], group["message"].asstr()[:])
            rows = list(rows)
        self.assertEqual({status for name, _, status, _ in rows if name == "alibi"}, {0}, rows)
        return {int(length): (int(status), message) for name, length, status, message in rows if name == "mine"}

    def test_a_file_that_cannot_be_opened_says_why(self):
        for name, (parts, words) in MISTAKES.items():
            with self.subTest(name):
                self.write(scheme(**parts))
                done = self.poslab("check", "mine.py", "--only", "table,creates")
                self.assertNotEqual(done.returncode, 0, done.stdout)
                self.assertIn(words, " ".join(done.stdout.split()))
                self.assertNotIn("Traceback", done.stdout + done.stderr)

    def test_a_call_that_fails_costs_its_own_cell(self):
        is_open = ("import ctypes; _is_open = lambda fd: __import__('os').path.exists(f'/proc/self/fd/{fd}'); "
                   "_mode = lambda mode: ctypes.CDLL('libm.so.6').fesetround(mode)")
        for name, (body, words) in WRONG.items():
            with self.subTest(name):
                cells = self.run_with(body, 3, top=is_open)
                self.assertEqual((cells[8], cells[16]), ((0, ""), (0, "")))
                self.assertNotEqual(cells[12][0], 0)
                self.assertIn(words, cells[12][1])

    def test_a_late_import_of_what_pip_has_installed_is_none_of_the_file_wherever_that_is(self):
        package = self.scratch / "target/late"
        package.mkdir(parents=True)
        for name in ("__init__.py", "inner.py"):
            (package / name).write_text("__version__ = '1.0'\n")
        top = f"import sys; sys.path.append({str(package.parent)!r}); import late"
        self.assertIn("imports inner.py only when it is asked", self.run_with("import late.inner", 3, top=top)[12][1])
        (package.parent / "late-1.0.dist-info").mkdir()
        self.assertEqual(self.run_with("import late.inner", 0, top=top)[12], (0, ""))

    def test_an_installed_package_that_comes_late_or_changes_is_not_overlooked(self):
        package = self.scratch / "site-packages/own_slopes"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("__version__ = '1.0'\n")
        path = f"import sys; sys.path.append({str(package.parent)!r})"
        self.assertIn("imports own_slopes 1.0 only when it is asked", self.run_with("import own_slopes", 3, top=path)[12][1])
        for before, after in (("__version__ = '1.0'\n", "__version__ = '2.0'\n"), ("", "steep = 1\n")):  # the second tells no version
            with self.subTest(before):
                (package / "__init__.py").write_text(before)
                self.assertEqual(self.run_with("pass", 0, top=path + "; import own_slopes")[12], (0, ""))
                plan = ("run", self.study(STUDY), "-o", "a.h5", "--plan")
                self.assertNotIn("plugin changed", self.expect(0, *plan))
                (package / "__init__.py").write_text(after)
                self.assertIn("plugin changed", self.expect(0, *plan))

    def library(self, name, init, **others):
        """A package that pip has installed, which is on the path of `self.installed`."""
        folder = self.scratch / f"site-packages/{name}"
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text(init)
        for other, text in others.items():
            (folder / f"{other}.py").write_text(text)

    @property
    def installed(self):
        return f"import sys; sys.path.append({str(self.scratch / 'site-packages')!r}); import lazy"

    def test_what_a_library_imports_late_is_the_librarys_matter(self):
        """As PyTorch imports sympy, and that mpmath, when a gradient is first asked for."""
        self.library("lazy", "__version__ = '1.0'\ndef gradient():\n    from lazy import inner\n    return inner.value()\n"
                             "def call(function):\n    return function()\ndef asks(name):\n    __import__('importlib').import_module(name)\n",
                     inner="def value():\n    import symbols\n    return symbols.value()\n")
        self.library("symbols", "__version__ = '2.0'\nimport numbers_of_many_digits\ndef value():\n    import later\n    return 0\n")
        self.library("numbers_of_many_digits", "__version__ = '3.0'\n")
        self.library("later", "__version__ = '4.0'\n")
        for body in ("lazy.gradient()", "lazy.asks('symbols')", "exec('lazy.gradient()')", "lazy.gradient(); import symbols"):
            with self.subTest(body):
                self.assertEqual(self.run_with(body, 0, top=self.installed), {8: (0, ""), 12: (0, ""), 16: (0, "")})
        refused = {"import symbols": "numbers_of_many_digits 3.0, symbols 2.0", "exec('import symbols')": "symbols 2.0",
                   "__import__('importlib').import_module('symbols')": "symbols 2.0",
                   "lazy.call(lambda: __import__('symbols'))": "symbols 2.0", "lazy.asks('helper')": "helper.py",
                   "lazy.gradient(); import helper": "helper.py"}
        for body, names in refused.items():
            with self.subTest(body):
                cells = self.run_with(body, 3, top=self.installed)
                self.assertEqual((cells[8], cells[16]), ((0, ""), (0, "")))
                self.assertRegex(cells[12][1], f"mine.py: imports .*{names} only when it is asked something")
                self.assertEqual("numbers_of_many_digits" in cells[12][1], names.endswith("symbols 2.0"), cells[12][1])

    def test_what_has_come_late_is_not_there_for_the_next_cell(self):
        self.write(scheme(body="if length > 8: import helper"))
        (self.scratch / "helper.py").write_text("")
        self.expect(3, "run", self.study(STUDY), "-o", "a.h5", "--threads", "1")
        with h5py.File(self.scratch / "a.h5") as file:
            group = file["relative-shift"]
            rows = {(name, int(length)): (int(status), message) for name, length, status, message in
                    zip(group["scheme"].asstr()[:], group["length"][:], group["status"][:], group["message"].asstr()[:])}
        self.assertEqual(rows["mine", 8], (0, ""))
        for length in (12, 16):
            self.assertIn("imports helper.py only when it is asked something", rows["mine", length][1])

    def test_a_late_import_of_a_call_that_fails_is_not_there_for_the_next_cell(self):
        cells = self.run_with("import helper; 1 / 0", 3)
        self.assertEqual((cells[8], cells[16]), ((0, ""), (0, "")))
        self.assertIn("ZeroDivisionError", cells[12][1])

    def test_a_file_that_computes_otherwise_once_it_is_imported_is_passed_over(self):
        self.write(scheme(top="import ctypes; ctypes.CDLL('libm.so.6').fesetround(0x400)"))
        said = self.expect(2, "run", self.study(STUDY), "-o", "a.h5")
        self.assertIn("floating-point mode, which rounds down", said)

    def test_a_process_that_somebody_else_kills_costs_its_cell_nothing_the_first_time(self):
        once = "import os; os.mkdir({!r}); os.kill(os.getpid(), 9)".format(str(self.scratch / "killed"))
        for options in ((), ("--in-process",)):
            for number in (9, 15):
                with self.subTest(options=options, number=number):
                    body = f"\n            if not __import__('os').path.exists({str(self.scratch / 'killed')!r}): {once.replace('9)', f'{number})')}"
                    self.assertEqual(self.run_with(body, 0, *options), {8: (0, ""), 12: (0, ""), 16: (0, "")})
                    (self.scratch / "killed").rmdir()

    def test_a_check_whose_process_somebody_else_kills_is_tried_again(self):
        killed = self.scratch / "killed"
        self.write(scheme(body=f"import os\n        if not os.path.exists({str(killed)!r}): os.mkdir({str(killed)!r}); os.kill(os.getpid(), 9)"))
        self.assertRegex(self.expect(0, "check", "mine.py", "--only", "returns"), "ok +returns")
        self.assertTrue(killed.exists())

    def test_kills_are_told_as_kills_and_never_counted_to_the_scheme(self):
        self.write(scheme(body="import os; os.kill(os.getpid(), 9)"))
        lengths = STUDY.replace("[8, 12, 16]", "[8, 9, 10, 11, 12, 13]")
        said = self.expect(3, "run", self.study(lengths), "-o", "a.h5")
        self.assertNotIn("quarantined", said)
        with h5py.File(self.scratch / "a.h5") as file:
            group = file["relative-shift"]
            messages = group["message"].asstr()[:][group["scheme"].asstr()[:] == "mine"]
        self.assertEqual(len(messages), 6)
        for message in messages:
            self.assertRegex(message, r"its Python process was killed by signal 9, which poslab did not send; "
                                      r"(the kernel's count of memory kills (did not rise|rose by \d+)|whether the kernel)")
            self.assertIn("tried twice", message)
        said = " ".join(self.expect(1, "check", "mine.py", "--only", "returns").split())
        self.assertRegex(said, r"FAIL returns .*its Python process was killed by signal 9, which poslab did not send; .*the check was tried twice")

    def test_bad_manners_change_nothing(self):
        for name, body in HARMLESS.items():
            with self.subTest(name):
                self.assertEqual(self.run_with(body, 0), {8: (0, ""), 12: (0, ""), 16: (0, "")})

    def test_a_call_that_never_returns_is_ended(self):
        cells = self.run_with("\n            while True: pass", 3, "--cell-time", "3")
        self.assertEqual((cells[8], cells[16]), ((0, ""), (0, "")))
        self.assertIn("3 s", cells[12][1])

    def test_a_file_that_never_opens_is_passed_over(self):
        self.write(scheme(top="while True: pass"))
        said = self.expect(2, "run", self.study(STUDY), "-o", "a.h5", "--cell-time", "3")
        self.assertIn("did not come back within 3 s", said)

    @unittest.skipIf(is_sanitized(BINARY), "a sanitizer's shadow memory would count")
    def test_a_flood_of_memory_ends_within_its_limit(self):
        cells = self.run_with("x = [np.ones(1 << 22) for _ in range(4000)]", 3, "--memory", "1GiB")
        self.assertEqual((cells[8], cells[16]), ((0, ""), (0, "")))
        self.assertIn("memory", cells[12][1])

    def test_a_file_that_is_changed_while_it_runs_is_not_mixed(self):
        self.write(scheme(body="import time; time.sleep(0.03)"))
        run = subprocess.Popen([BINARY, "run", self.study(STUDY), "-o", "a.h5", "--workers", "1", "--threads", "1"], cwd=self.scratch,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=os.environ | {"XDG_CACHE_HOME": str(self.cache)})
        time.sleep(1.5)
        self.write(scheme(body="os_exit = 1"))
        said, _ = run.communicate(timeout=100)
        if run.returncode == 0:  # every process had been started
            self.assertIn("plugin changed", self.expect(0, "run", self.study(STUDY), "-o", "a.h5", "--plan"))
        else:
            self.assertIn("changed", said)

    def test_weights_and_positions_that_do_not_fit_are_named(self):
        self.write("""import poslab
@poslab.define(id="mine", max_position=10)
class Mine:
    w = poslab.weight((4, 3), init=("normal", 1))
    def encode(self, positions, d_model):
        return positions[:, None] * self.w.sum() + 0 * __import__("numpy").arange(d_model)
""")
        mine = poslab.scheme(self.scratch / "mine.py", d_model=32, heads=4)
        with self.assertRaisesRegex(poslab.OutOfRange, "11"):
            mine.encode(numpy.arange(12.0), weights=mine.draw(seed=0))
        with self.assertRaisesRegex(ValueError, "w"):
            mine.encode(numpy.arange(4.0), weights={"w": numpy.ones((3, 4))})

    def test_a_table_is_never_asked_for_a_row_that_it_has_not(self):
        self.write("""import poslab
@poslab.define(id="mine", min_position=0, max_position=99.5, real_positions=True)
class Mine:
    table = poslab.weight((100, "d_model"), init=("normal", 1))
    def encode(self, positions):
        return self.table[positions.astype(int)]
""")
        said = self.expect(0, "check", "mine.py", "--only", "limits,far,errors")
        self.assertRegex(said, r"ok +limits +4 ends")

    def test_ctrl_c_ends_a_call_from_python(self):
        self.write(scheme(body="\n        while True: pass"))
        script = ("import sys; sys.path.insert(0, sys.argv[1]); import numpy, poslab; at = numpy.arange(4.0)\n"
                  "mine = poslab.scheme('mine.py', d_model=32, heads=4); print('ready', flush=True)\n"
                  "try: mine.bias(at, at)\nexcept (KeyboardInterrupt, RuntimeError): print('interrupted')\n")
        python = subprocess.Popen([sys.executable, "-c", script, str(SOURCE / "results/python")], cwd=self.scratch, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.assertEqual(python.stdout.readline(), "ready\n")
        time.sleep(0.5)
        os.killpg(python.pid, signal.SIGINT)
        said, errors = python.communicate(timeout=30)
        self.assertIn("interrupted", said + errors)


if __name__ == "__main__":
    unittest.main()
