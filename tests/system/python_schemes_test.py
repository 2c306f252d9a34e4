# SPDX-License-Identifier: Apache-2.0
"""The schemes from Python: the bits of `poslab table`, attention by its definition, errors that say what was meant; and inside
PyTorch with gradients that are those of differences."""

import copy
import doctest
import os
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import tomllib
import unittest
from pathlib import Path

import h5py
import numpy
from poslab_case import BINARY, BUILD, SOURCE, PoslabCase

os.environ.setdefault("POSLAB_LIBRARY", str(BUILD / "lib/libposlab.so"))
sys.path.insert(0, str(SOURCE / "results/python"))

import poslab  # noqa: E402
import poslab.library  # noqa: E402
import poslab.variant  # noqa: E402

GRIDS = {1: None, 2: (4, 4), 3: (2, 4, 4)}


def positions_of(scheme, count=16):
    """0 .. count - 1, or the cells of a grid that the scheme serves."""
    least = max(scheme.card.least_axes, 2 if scheme.card.id in ("rope-nd", "sincos-2d") else 1)
    if least == 1:
        return numpy.arange(float(count))
    return numpy.array(list(numpy.ndindex(GRIDS[least])), float)


class Bits(PoslabCase):
    def test_every_scheme_has_the_bits_of_poslab_table(self):
        compared = dict.fromkeys(("encoding_table", "rotated_ones", "rotated_ones_query", "rotated_ones_value", "rotated_ones_output", "position_bias",
                                  "score_of_ones", "weight"), 0)
        for card in poslab.schemes():
            scheme = poslab.scheme(card.id, d_model=96, heads=4, train_length=16 if card.least_axes < 3 else 32)
            at = positions_of(scheme)
            grid = GRIDS[at.ndim if at.ndim == 1 else at.shape[1]]
            where = ["--grid", "x".join(map(str, grid))] if grid else ["--positions", "0:16"]
            done = self.poslab("table", card.id, "--d-model", "96", *where, "--seed", "5", "-o", f"{card.id}.h5")
            self.assertEqual(done.returncode, 0, done.stderr)
            weights = scheme.draw(seed=5)
            context = {"length": len(at), "causal": scheme.mask != "bidirectional only"}
            ones = numpy.ones((4, len(at), 24))
            with h5py.File(self.scratch / f"{card.id}.h5") as table:
                for name in filter(compared.__contains__, table):
                    found = {
                        "encoding_table": lambda: scheme.encode(at, weights=weights, **context),
                        "rotated_ones": lambda: scheme.transform(ones, at, weights=weights, **context),
                        "rotated_ones_query": lambda: scheme.transform(ones, at, "query", weights=weights, **context),
                        "rotated_ones_value": lambda: scheme.transform(ones, at, "value", weights=weights, **context),
                        "rotated_ones_output": lambda: scheme.transform(ones, at, "output", weights=weights, **context),
                        "position_bias": lambda: scheme.bias(at, at, weights=weights, **context),
                        "score_of_ones": lambda: self.score_of_ones(scheme, at, weights, context)}[name]()
                    self.assertEqual(found.tobytes(), table[name][()].tobytes(), (card.id, name))
                    compared[name] += 1
                for name, drawn in weights.items():
                    self.assertEqual(drawn.tobytes(), table[f"weight_{name}"][()].tobytes(), (card.id, name))
                    compared["weight"] += 1
        for name, count in compared.items():
            self.assertGreater(count, 0, name)
        self.assertGreater(sum(compared.values()), 80)

    @staticmethod
    def score_of_ones(scheme, at, weights, context):
        at = at.reshape(len(at), -1)
        ones, scale = numpy.ones((4, len(at), 24)), scheme.logit_scale
        out = numpy.full((4, len(at), len(at)), scale * 24)
        scheme._apply("score", out.dtype, list(weights.values()),
                      {"query_positions": at, "key_positions": at, "query": ones, "key": ones, "layer_input": numpy.ones((len(at), 96)),
                       "output": out}, scale=scale, **context)
        return out / scale

    def test_threads_have_the_bits_of_one(self):
        rope, x = poslab.scheme("rope"), numpy.random.default_rng(1).standard_normal((8, 50, 16))
        alone, wrong = rope.transform(x, range(50)).tobytes(), []
        threads = [threading.Thread(target=lambda: [wrong.append(i) for i in range(200) if rope.transform(x, range(50)).tobytes() != alone])
                   for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class Attention(unittest.TestCase):
    def test_rope_with_values_is_its_definition(self):
        random = numpy.random.default_rng(0)
        q, k, v = random.standard_normal((3, 2, 7, 8))
        scheme = poslab.scheme("value-rope", d_model=16, heads=2)
        angles = numpy.outer(numpy.arange(7), 1e4 ** (-numpy.arange(0, 8, 2) / 8))

        def turned(x, sign=1):
            pairs = (x[..., 0::2] + 1j * x[..., 1::2]) * numpy.exp(sign * 1j * angles)
            return numpy.stack([pairs.real, pairs.imag], -1).reshape(x.shape)

        logits = turned(q) @ turned(k).transpose(0, 2, 1) / numpy.sqrt(8)
        numpy.testing.assert_allclose(scheme.logits(q, k, range(7)), logits, rtol=0, atol=1e-14)
        logits[:, numpy.triu(numpy.ones((7, 7), bool), 1)] = -numpy.inf
        numpy.testing.assert_allclose(scheme.logits(q, k, range(7), causal=True), logits, rtol=0, atol=1e-14)
        attention = numpy.exp(logits) / numpy.exp(logits).sum(-1, keepdims=True)
        numpy.testing.assert_allclose(scheme.attend(q, k, v, range(7), causal=True), turned(attention @ turned(v), -1), rtol=0, atol=1e-14)
        single = scheme.attend(*(each.astype(numpy.float32) for each in (q, k, v)), range(7), causal=True)
        self.assertEqual(single.dtype, numpy.float32)
        numpy.testing.assert_allclose(single, scheme.attend(q, k, v, range(7), causal=True), rtol=0, atol=1e-6)

    def test_a_transposed_view_is_taken_for_what_it_is(self):
        rope, x = poslab.scheme("rope", d_model=16, heads=2), numpy.random.default_rng(3).standard_normal((5, 8, 2)).transpose(2, 0, 1)
        numpy.testing.assert_array_equal(rope.transform(x, range(5)), rope.transform(x.copy(), range(5)))


FILE = """import numpy as np, poslab

@poslab.define(id="mine", claims={"relative"})
class Mine:
    slope = poslab.real(1.0, at_least=0)
    gain = poslab.weight((), init=2.0)

    def bias(self, q, k, heads, weights):
        return np.zeros((heads, len(q), len(k))) - weights["gain"] * self.slope * abs(q[:, None] - k[None, :])
"""


class Copies(unittest.TestCase):
    def test_a_copy_and_a_pickle_give_the_same_bits(self):
        rope, x = poslab.scheme("rope", d_model=16, heads=2, base=77.0), numpy.random.default_rng(3).standard_normal((2, 5, 8))
        for other in (copy.deepcopy(rope), pickle.loads(pickle.dumps(rope))):
            self.assertEqual(other.parameters, rope.parameters)
            self.assertEqual(other.transform(x, range(5)).tobytes(), rope.transform(x, range(5)).tobytes())

    def test_folders_of_plugins_may_be_added(self):
        self.assertIn(str(BUILD / "plugins"), poslab.plugin_path)
        with self.assertRaises(ValueError):
            poslab.scheme("learned-turns")
        for folder in (str(BUILD / "test-schemes"), BUILD / "test-schemes"):
            poslab.plugin_path.append(folder)
            try:
                self.assertEqual(poslab.scheme("learned-turns").card.id, "learned-turns")
                self.assertIn("learned-turns", [card.id for card in poslab.schemes()])
            finally:
                poslab.plugin_path.pop()

    def test_folders_may_be_given_anew(self):
        self.addCleanup(vars(poslab).pop, "plugin_path", None)
        for folders in ([str(BUILD / "test-schemes")], (BUILD / "test-schemes",)):
            poslab.plugin_path = folders
            with self.assertRaises(ValueError) as raised:
                poslab.scheme("rope")
            self.assertIn(f"no plugin in {BUILD / 'test-schemes'} offers", str(raised.exception))
        for folders in (str(BUILD / "test-schemes"), BUILD / "test-schemes", None, [None]):
            poslab.plugin_path = folders
            for wrong in (poslab.schemes, lambda: poslab.scheme("rope")):
                with self.assertRaises(TypeError):
                    wrong()

    def test_another_build_under_a_path_that_was_opened_is_no_other_scheme(self):
        with tempfile.TemporaryDirectory() as folder:
            mine, other = Path(folder) / "mine.so", Path(folder) / "other.so"
            shutil.copy(BUILD / "plugins/alibi.so", mine)
            self.assertEqual(poslab.scheme(mine).card.id, "alibi")
            shutil.copy(BUILD / "plugins/rope.so", other)
            other.replace(mine)
            with self.assertRaises(Exception) as raised:
                poslab.scheme(mine)
            self.assertIn("another build of it in memory", str(raised.exception))

    def test_a_forked_child_that_ends_leaves_its_parents_file_alone(self):
        script = ("import os, sys, poslab\nmine = poslab.scheme(sys.argv[1])\n"
                  "if os.fork() == 0:\n  sys.exit(0)\nos.wait()\nprint(mine.bias([0, 1], [0, 1], weights=mine.draw()).shape)")
        with tempfile.TemporaryDirectory() as folder:
            mine = Path(folder) / "mine.py"
            mine.write_text(FILE)
            done = subprocess.run([sys.executable, "-c", script, mine], env={**os.environ, "PYTHONPATH": sys.path[0]}, text=True,
                                  capture_output=True)
        self.assertEqual((done.stdout, done.stderr), ("(8, 2, 2)\n", ""))

    def test_a_weight_without_axes_and_an_infinite_parameter(self):
        with tempfile.TemporaryDirectory() as folder:
            mine = Path(folder) / "mine.py"
            mine.write_text(FILE)
            scheme = poslab.scheme(mine)
            numpy.testing.assert_array_equal(scheme.bias([0, 3], [0], weights=scheme.draw())[0], [[0], [-6]])
            done = subprocess.run([BINARY, "table", mine, "--set", "slope=inf", "-o", mine.with_suffix(".h5")], text=True, capture_output=True)
        self.assertIn("slope is not finite, which no Python file is given", done.stderr)

    def test_who_was_refused_is_named_where_a_scheme_is_not_found(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "mine.py").write_text(FILE.replace("def bias(self, q, k,", "def bias(self, q, k, head,"))
            poslab.plugin_path.append(folder)
            self.addCleanup(poslab.plugin_path.pop)
            with self.assertRaises(ValueError) as raised:
                poslab.scheme("mine")
            done = subprocess.run([BINARY, "describe", "mine", "--plugins", folder], text=True, capture_output=True)
        for said in (str(raised.exception), done.stderr):
            self.assertIn("Mine.bias asks for 'head'", " ".join(said.split()))

    @unittest.skipIf(os.geteuid() != 0, "only root may give a file to others")
    def test_what_others_own_is_refused_from_the_environment_as_by_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            mine = Path(folder) / "mine.py"
            mine.write_text(FILE)
            os.chmod(folder, 0o755)
            for path in (folder, mine):
                os.chown(path, 65534, 65534)
            done = subprocess.run([sys.executable, "-c", "import poslab; poslab.scheme('mine')"], text=True, capture_output=True,
                                  env={**os.environ, "PYTHONPATH": sys.path[0], "POSLAB_PLUGIN_PATH": folder})
        self.assertIn('offers the scheme "mine"', done.stderr)


class Alone(unittest.TestCase):
    def test_schemes_need_numpy_alone(self):
        script = ("import sys\nfor name in ('xarray', 'pandas', 'h5py', 'h5netcdf', 'matplotlib', 'tqdm'): sys.modules[name] = None\n"
                  "import poslab\nprint(len(poslab.schemes()), poslab.scheme('rope').card.id, 'scheme' in dir(poslab))\n"
                  "try:\n  poslab.open('a.h5')\nexcept ImportError as missing:\n  print(missing.name)")
        done = subprocess.run([sys.executable, "-c", script], env={**os.environ, "PYTHONPATH": sys.path[0]}, text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"^\d\d rope True\n(h5py|pandas|xarray)\n$")


class Errors(unittest.TestCase):
    def said(self, kind, wrong):
        with self.assertRaises(kind) as raised:
            wrong()
        return str(raised.exception)

    def test_what_was_meant_is_said(self):
        rope, t5 = poslab.scheme("rope", d_model=16, heads=2), poslab.scheme("t5", d_model=16, heads=2)
        x = numpy.ones((2, 3, 8))
        for kind, wrong, facts in [
                (ValueError, lambda: poslab.scheme("roep"), ["roep", '"rope"']),
                (ValueError, lambda: poslab.scheme("rope", bas=2), ["bas", '"base"']),
                (ValueError, lambda: poslab.scheme("rope", base=-2), ["base", "-2", "greater than 0"]),
                (ValueError, lambda: poslab.scheme("rope", base=float("nan")), ["base", "nan"]),
                (ValueError, lambda: poslab.scheme("rope", style="half"), ["half", "half-split"]),
                (ValueError, lambda: poslab.scheme("rope", d_model=10, heads=3), ["10", "3"]),
                (TypeError, lambda: poslab.scheme("rope", d_model=10.5), ["d_model", "10.5"]),
                (poslab.Refused, lambda: poslab.scheme("rope", d_model=9, heads=1), ["9"]),
                (TypeError, lambda: rope.transform(x.astype(int), range(3)), ["int64", "float32"]),
                (TypeError, lambda: rope.transform(x.astype(numpy.float16), range(3)), ["float16"]),
                (TypeError, lambda: rope.transform(x, ["a", "b", "c"]), ["positions"]),
                (ValueError, lambda: rope.transform(x, range(4)), ["[2, 3, 8]", "[2, 4, 8]"]),
                (ValueError, lambda: rope.transform(x, range(3), "keys"), ["keys", "key"]),
                (ValueError, lambda: rope.transform(x, numpy.ones((3, 1, 1))), ["[3, 1, 1]"]),
                (ValueError, lambda: rope.encode(range(3)), ["rope", "encode"]),
                (ValueError, lambda: rope.logits(x, x[:1], range(3)), ["key", "[1, 3, 8]", "[2, 3, 8]"]),
                (TypeError, lambda: rope.logits(x, x.astype(numpy.float32), range(3)), ["float32", "float64"]),
                (ValueError, lambda: t5.bias(range(3), range(3)), ["t5", "table", "draw"]),
                (ValueError, lambda: t5.bias(range(3), range(3), weights={"tabel": x}), ["tabel", "table"]),
                (ValueError, lambda: t5.bias(range(3), range(3), weights={}), ["table"]),
                (ValueError, lambda: t5.bias(range(3), range(3), weights={"table": x}), ["[2, 3, 8]"]),
                (poslab.OutOfRange, lambda: poslab.scheme("learned").encode([600], weights=poslab.scheme("learned").draw()), ["600", "511"]),
                (poslab.Refused, lambda: poslab.scheme("fox", d_model=16, heads=2).logits(
                    x, x, range(3), weights=poslab.scheme("fox", d_model=16, heads=2).draw()), ["causal"]),
                (ValueError, lambda: poslab.scheme("/nowhere/x.so"), ["/nowhere/x.so"]),
                (ValueError, lambda: poslab.scheme("rope", d_model=2**70), ["d_model"]),
                (TypeError, lambda: poslab.scheme("rope", base=object()), ["base"]),
                (ValueError, lambda: rope.transform(x, range(3), layer=-1), ["layer", "-1"]),
                (ValueError, lambda: rope.transform(x, range(3), length=10**30), ["length"]),
                (TypeError, lambda: rope.transform(x, range(3), length="5"), ["length", "'5'"]),
                (ValueError, lambda: t5.draw(seed=-1), ["seed", "-1"]), (ValueError, lambda: t5.draw_layers(0), ["layers"]),
                (poslab.Failed, lambda: rope.transform(x * numpy.nan, range(3)), ["nan"]),
                (ValueError, lambda: poslab.scheme("m-rope", sections=[float("inf")]), ["sections", "inf"]),
                (ValueError, lambda: poslab.scheme("learned", max_length=2**63), ["max_length"]),
                (ValueError, lambda: rope.transform(x, numpy.array([0, 1, 2**53 + 1])), ["positions", str(2**53 + 1)]),
                (poslab.OutOfRange, lambda: rope.transform(x, [0, 1, numpy.inf]), ["inf"])]:
            sentence = self.said(kind, wrong)
            for fact in facts:
                self.assertIn(fact, sentence)

    def test_nothing_has_no_numbers(self):
        rope = poslab.scheme("rope", d_model=16, heads=2)
        self.assertEqual(rope.transform(numpy.ones((2, 0, 8)), []).shape, (2, 0, 8))
        self.assertEqual(poslab.scheme("alibi", d_model=16, heads=2).bias([], []).shape, (2, 0, 0))

    def test_a_library_of_another_version_and_one_that_is_not_there(self):
        script = "import poslab.library as l; l.VERSION = '9.9'; l.library()"
        for setting, facts in [({}, ["9.9", "0.1.0"]), ({"POSLAB_LIBRARY": "/nowhere/libposlab.so"}, ["/nowhere/libposlab.so", "./dev build"])]:
            done = subprocess.run([sys.executable, "-c", script], env={**os.environ, "PYTHONPATH": sys.path[0], **setting}, text=True,
                                  capture_output=True)
            self.assertNotEqual(done.returncode, 0)
            for fact in facts:
                self.assertIn(fact, done.stderr.splitlines()[-1])

    def test_there_is_one_version(self):
        declared = re.search(r"^project\(poslab VERSION (\S+)", (SOURCE / "CMakeLists.txt").read_text(), re.MULTILINE).group(1)
        self.assertEqual(poslab.library.VERSION, declared)
        for project in ("pyproject.toml", "results/python/pyproject.toml"):
            self.assertEqual(tomllib.loads((SOURCE / project).read_text())["project"]["version"], declared, project)

    def test_a_forked_child_is_told(self):
        poslab.scheme("rope").transform(numpy.ones((8, 1, 16)), [0])
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                poslab.scheme("rope")
            except RuntimeError as refused:
                os.write(write, str(refused).encode())
            os._exit(0)
        os.waitpid(child, 0)
        self.assertIn("spawn", os.read(read, 1000).decode())

    def test_it_brings_no_second_hdf5_and_exports_its_functions_alone(self):
        library = os.environ["POSLAB_LIBRARY"]
        needed = subprocess.run(["readelf", "--dynamic", library], capture_output=True, text=True, check=True).stdout
        self.assertIn("libtbb", needed)
        self.assertNotIn("hdf5", needed)
        symbols = subprocess.run(["nm", "--dynamic", "--defined-only", library], capture_output=True, text=True, check=True).stdout
        exported = {line.split()[-1] for line in symbols.splitlines()}
        self.assertEqual({name for name in exported if not name.startswith("poslab_")}, set())

    def test_the_examples_of_the_docstrings(self):
        done = doctest.testmod(poslab.variant, extraglobs={"np": numpy})
        self.assertEqual(done.failed, 0)
        self.assertGreater(done.attempted, 2)


try:
    import torch
    import torch.nn.utils.parametrize
    import torch.nn.utils.prune
    import torch.utils.checkpoint
    import torch.utils.data
    import poslab.torch
except ImportError:
    torch = None


@unittest.skipIf(torch is None, "there is no PyTorch (Debian 12: python3-torch)")
class Torch(unittest.TestCase):
    def module(self, name, **options):
        module = poslab.torch.Positions(name, d_model=24, heads=2, train_length=8, dtype=torch.float64, **options)
        torch.manual_seed(1)
        for weight in module.parameters():  # away from zeros, where a factor would hide another's gradient
            with torch.no_grad():
                weight.add_(0.3 * torch.randn_like(weight))
        return module

    def given(self, scheme, batch):
        at = positions_of(scheme, 4)[:4]
        random = [torch.randn(*batch, 2, 4, 12, dtype=torch.float64, requires_grad=True) for _ in range(3)]
        return at, *random, torch.randn(*batch, 4, 24, dtype=torch.float64, requires_grad=True)

    def test_gradients_of_every_scheme_are_those_of_differences(self):
        looked_at = 0
        for card in poslab.schemes():
            with self.subTest(card.id):
                module = self.module(card.id)
                at, q, k, v, x = self.given(module.variant, (2,))
                causal = module.variant.mask != "bidirectional only"
                learn = [weight for weight in module.parameters() if weight.requires_grad]

                def attended(q, k, v, x, *_, module=module, at=at, causal=causal):
                    return module.attend(q, k, v, at, causal=causal, x=module.encode(x, at))

                self.assertTrue(torch.autograd.gradcheck(attended, (q, k, v, x, *learn), fast_mode=True))
                weights = {name: weight.detach().numpy() for name, weight in module.named_parameters()}
                self.assertEqual(list(module.state_dict()), [weight.name for weight in module.variant.weights])
                entered = module.encode(x, at)
                for b in range(2):
                    alone = module.variant.attend(*(each[b].detach().numpy() for each in (q, k, v)), at, causal=causal, weights=weights,
                                                  x=entered[b].detach().numpy())
                    numpy.testing.assert_allclose(attended(q, k, v, x)[b].detach().numpy(), alone, rtol=0, atol=1e-12)
                looked_at += 1
        self.assertGreater(looked_at, 40)

    def test_any_batch_axes_and_none(self):
        module = self.module("t5")
        at, q, k, v, _ = self.given(module.variant, (3, 2))
        whole = module.attend(q, k, v, at, causal=True)
        self.assertEqual(whole.shape, (3, 2, 2, 4, 12))
        torch.testing.assert_close(module.attend(q[1, 1], k[1, 1], v[1, 1], at, causal=True), whole[1, 1])

    def test_a_copied_module_has_weights_of_its_own(self):
        module = self.module("t5")
        other = copy.deepcopy(module)
        with torch.no_grad():
            other.table.add_(1)
        self.assertFalse(torch.equal(module.table, other.table))
        self.assertTrue(torch.equal(module.bias([0], [0]) + 1, other.bias([0], [0])))

    def test_a_mask_that_means_nothing_is_refused_and_nothing_has_no_numbers(self):
        alibi, rope = self.module("alibi"), self.module("rope")
        at, q, k, v, _ = self.given(alibi.variant, (2,))
        for wrong in (lambda: alibi.logits(q, k, at), lambda: alibi.attend(q, k, v, at)):
            with self.assertRaises(poslab.Refused):
                wrong()
        self.assertEqual(rope.attend(q[:0], k[:0], v[:0], at).shape, v[:0].shape)
        cope = self.module("cope")
        self.assertEqual(cope.attend(q[:0], k[:0], v[:0], at, causal=True).shape, v[:0].shape)

    def test_weights_are_given_by_name_however_they_are_kept(self):
        for name in ("deberta", "cope", "path", "pope"):
            plain, changed = self.module(name), self.module(name)
            at, q, k, _, x = self.given(plain.variant, (2,))
            causal = plain.variant.mask != "bidirectional only"
            before = plain.logits(q, k, at, causal=causal, x=x).detach()
            first = plain.variant.weights[0].name
            if name == "pope":  # whose weight `bias` has the name of a method
                changed._parameters[first] = changed._parameters.pop(first)
            else:
                torch.nn.utils.prune.identity(changed, first)
            for weight in [weight.name for weight in plain.variant.weights][1:3]:
                kept = getattr(changed, weight)
                delattr(changed, weight)
                setattr(changed, weight, kept)
            self.assertTrue(torch.equal(changed.logits(q, k, at, causal=causal, x=x), before), name)

    def test_a_pruned_or_parametrised_weight_is_the_one_that_counts(self):
        for name, weight in [("cope", "positions"), ("deberta", "key_projection"), ("t5", "table")]:
            pruned, parametrised, wanted = (self.module(name) for _ in range(3))
            at, q, k, _, _ = self.given(wanted.variant, (2,))
            torch.nn.utils.prune.random_unstructured(pruned, weight, 0.5)
            with torch.no_grad():
                getattr(wanted, weight).mul_(getattr(pruned, f"{weight}_mask"))
            for factor in (1, 3):  # once more after a step of training, of which the attribute knows by a hook alone
                with torch.no_grad():
                    getattr(pruned, f"{weight}_orig").mul_(factor)
                    getattr(wanted, weight).mul_(factor)
                logits = wanted.logits(q, k, at, causal=True)
                self.assertTrue(torch.equal(pruned.logits(q, k, at, causal=True), logits), name)
            pruned.logits(q, k, at, causal=True).masked_fill(~logits.isfinite(), 0).square().sum().backward()
            masked = getattr(pruned, f"{weight}_orig").grad[getattr(pruned, f"{weight}_mask") == 0]
            self.assertEqual(float(masked.abs().max()), 0)
            self.assertGreater(float(getattr(pruned, f"{weight}_orig").grad.abs().max()), 0)

            class Half(torch.nn.Module):
                def forward(self, x):
                    return x / 2

            wanted = self.module(name)
            with torch.no_grad():
                getattr(wanted, weight).div_(2)
            torch.nn.utils.parametrize.register_parametrization(parametrised, weight, Half())
            self.assertTrue(torch.equal(parametrised.logits(q, k, at, causal=True), wanted.logits(q, k, at, causal=True)), name)

    def test_a_weight_that_is_missing_or_of_another_shape_is_named(self):
        module = self.module("t5")
        table = module.table
        for wrong, facts in [(None, ["'table'", "missing"]), (torch.nn.Parameter(table[:5].detach()), ["'table'", "[5, 2]", "[32, 2]"])]:
            module.table = wrong
            with self.assertRaises(ValueError) as raised:
                module.bias([0], [0])
            for fact in facts:
                self.assertIn(fact, str(raised.exception))
        module.table = table
        module.bias([0], [0])

    def test_a_module_without_weights_knows_its_type(self):
        far = numpy.array([5000.0])
        for module in (poslab.torch.Positions("alibi", dtype=torch.float64), poslab.torch.Positions("alibi").to(torch.float64),
                       torch.nn.Sequential(poslab.torch.Positions("alibi")).double()[0]):
            found = copy.deepcopy(module).bias(far, [0])
            self.assertEqual(found.dtype, torch.float64)
            numpy.testing.assert_array_equal(found, module.variant.bias(far, [0]))
            self.assertEqual(module.float().bias(far, [0]).dtype, torch.float32)
            self.assertEqual(list(module.state_dict()), [])
        self.assertEqual(poslab.torch.Positions("t5").double().bias([0], [0]).dtype, torch.float64)

    def test_checkpointing_gives_the_same_gradients(self):
        for name in ("rope", "fire", "cope", "deberta", "shaw", "learned"):
            module = self.module(name)
            at, q, k, v, x = self.given(module.variant, (2,))

            def attended(q, k, v, x, module=module, at=at):
                return module.attend(q, k, v, at, causal=True, x=module.encode(x, at))

            leaves = [q, k, v, x, *module.parameters()]
            wanted = torch.autograd.grad(attended(q, k, v, x).square().sum(), leaves, allow_unused=True)
            for reentrant in (False, True):
                for leaf in leaves:
                    leaf.grad = None
                torch.utils.checkpoint.checkpoint(attended, q, k, v, x, use_reentrant=reentrant).square().sum().backward()
                for leaf, gradient in zip(leaves, wanted):
                    self.assertTrue((leaf.grad is None and gradient is None) or torch.equal(leaf.grad, gradient), (name, reentrant))

    def test_parts_of_an_attention_are_refused_where_they_lack_something(self):
        refused = []
        for card in poslab.schemes():
            module = self.module(card.id)
            of = module.variant
            at = positions_of(of, 4)[:4]
            q = torch.randn(2, 4, 12, dtype=torch.float64)
            parts = [lambda: module.transform(q[:, 3:], q[:, 3:], at[3:], causal=of.mask == "causal only", length=4),
                     lambda: module.bias(at[3:], at, causal=of.mask == "causal only")]
            if {"score", "mix"} & {*of.operations} or "value" in of.sides:
                refused.append(card.id)
                for part in parts:
                    with self.assertRaises(poslab.Refused) as raised:
                        part()
                    self.assertIn("no cache of keys so far", str(raised.exception))
            else:
                # One query, and a cache of keys: with transform and bias alone the last row of attend.
                causal = of.mask == "causal only"
                k, v = torch.randn(2, 2, 4, 12, dtype=torch.float64)
                turned_q, _ = module.transform(q[:, 3:], q[:, 3:], at[3:], causal=causal, length=4)
                _, turned_k = module.transform(k, k, at, causal=causal)
                logits = of.logit_scale * turned_q @ turned_k.transpose(-1, -2) + module.bias(at[3:], at, causal=causal, length=4)
                torch.testing.assert_close(torch.softmax(logits, -1) @ v, module.attend(q, k, v, at, causal=causal)[:, 3:],
                                           rtol=0, atol=1e-12, msg=card.id)
            with self.assertRaises(poslab.Refused) as raised:
                module.logits(q[:, 3:], q, at, causal=of.mask != "bidirectional only")
            self.assertIn("[2, 1, 12]", str(raised.exception))
        self.assertLessEqual({"cope", "path", "shaw", "deberta", "value-rope", "fox"}, {*refused})

    def test_padding_before_a_sequence_is_refused_where_the_order_of_tokens_counts(self):
        for name in ("path", "cope", "fox", "selective-rope"):
            module = self.module(name)
            _, q, k, v, x = self.given(module.variant, ())
            for wrong in ([0, 0, 0, 1], [2, 3, 0, 1]):
                with self.assertRaises(poslab.Refused) as raised:
                    module.attend(q, k, v, wrong, causal=True, x=x)
                self.assertIn("padding", str(raised.exception))
                with self.assertRaises(poslab.Refused):
                    module.variant.logits(q.detach().numpy(), k.detach().numpy(), wrong, causal=True, x=x.detach().numpy(),
                                          weights={name: weight.detach().numpy() for name, weight in module.named_parameters()})
            module.attend(q, k, v, [0, 2, 3, 9], causal=True, x=x)
        for name in ("deberta", "relative-projection"):  # which read positions
            self.module(name).attend(q, k, v, [0, 0, 0, 1], causal=True, x=x)

    def test_a_mask_that_is_refused_says_what_to_pass(self):
        alibi = self.module("alibi")
        q = torch.randn(2, 4, 12, dtype=torch.float64)
        with self.assertRaises(poslab.Refused) as raised:
            alibi.logits(q, q, range(4))
        self.assertIn("pass causal=True; it was not given, or False", str(raised.exception))

    @unittest.skipIf(torch is None or not hasattr(torch, "func"), "this PyTorch has no torch.func")
    def test_what_torch_func_does_is_told(self):
        t5, alibi = self.module("t5"), self.module("alibi")
        q = torch.randn(3, 2, 4, 12, dtype=torch.float64)
        for wrong in (lambda: torch.func.vmap(lambda q: t5.attend(q, q, q, range(4)))(q),
                      lambda: torch.func.vmap(lambda at: alibi.bias(at, at))(torch.arange(6).reshape(2, 3)),
                      lambda: torch.func.grad(lambda q: t5.attend(q, q, q, range(4)).sum())(q)):
            with self.assertRaises(NotImplementedError) as raised:
                wrong()
            self.assertIn("vmap", str(raised.exception))

    def test_a_process_that_loads_data_is_told_how_to_start(self):
        t5 = self.module("t5")
        t5.bias([0], [0])
        with self.assertRaises(RuntimeError) as raised:
            next(iter(torch.utils.data.DataLoader([0, 1], num_workers=1, collate_fn=lambda at: t5.bias(at, at).detach(),
                                                  multiprocessing_context="fork")))
        self.assertIn('multiprocessing_context="spawn"', str(raised.exception))

    def test_it_learns(self):
        module = self.module("t5")
        at, q, k, v, _ = self.given(module.variant, (2,))
        wanted = torch.zeros_like(v)
        optimiser = torch.optim.SGD(module.parameters(), lr=0.02)
        losses = []
        for _ in range(5):
            loss = ((module.attend(q, k, v, at, causal=True) - wanted) ** 2).sum()
            optimiser.zero_grad(), loss.backward(), optimiser.step()
            losses.append(float(loss))
        self.assertEqual(losses, sorted(losses, reverse=True))
        self.assertLess(losses[-1], losses[0])

    def test_second_derivatives_are_refused(self):
        rope, kerple = self.module("rope"), self.module("kerple")
        x = torch.randn(2, 1, 12, dtype=torch.float64, requires_grad=True)

        def turned(x):
            return (rope.transform(x, x, [3])[0] ** 4).sum() + (x ** 3).sum()

        for wrong in (lambda: torch.autograd.functional.hessian(turned, x),
                      lambda: torch.autograd.functional.jvp(turned, x, torch.ones_like(x))):  # by a second derivative, too
            with self.assertRaises(NotImplementedError):
                wrong()
        loss = kerple.bias(range(4), range(4)).sum() + sum((weight ** 2).sum() for weight in kerple.parameters())
        slopes = torch.autograd.grad(loss, list(kerple.parameters()), create_graph=True)
        for slope, once in zip(slopes, torch.autograd.grad(loss, list(kerple.parameters()))):
            self.assertTrue(torch.equal(slope, once))
        with self.assertRaises(NotImplementedError):
            sum((slope ** 2).sum() for slope in slopes).backward()
        at, q, k, v, z = self.given(rope.variant, (2,))
        for name in ("fox", "shaw"):  # score, mix
            module = self.module(name)
            loss = (module.attend(q, k, v, at, causal=True, x=z) ** 3).sum()
            slope, = torch.autograd.grad(loss, q, create_graph=True)
            with self.assertRaises(NotImplementedError):
                slope.sum().backward()

    def test_the_length_of_the_whole_sequence_reaches_the_scheme(self):
        rope, at = self.module("rope", scaling="dynamic-ntk", factor=2), range(21)
        x = torch.randn(2, 21, 12, dtype=torch.float64)
        last = rope.transform(x[:, 20:], x[:, 20:], [20], length=21)[0]
        self.assertTrue(torch.equal(last, rope.transform(x, x, at)[0][:, 20:]))
        self.assertFalse(torch.equal(last, rope.transform(x[:, 20:], x[:, 20:], [20])[0]))
        q, k, v = torch.randn(3, 2, 4, 12, dtype=torch.float64)
        numpy.testing.assert_allclose(rope.attend(q, k, v, range(4), length=21),
                                      rope.variant.attend(q.numpy(), k.numpy(), v.numpy(), range(4), length=21), rtol=0, atol=1e-14)
        index = self.module("normalised-index")
        weights = {name: weight.detach().numpy() for name, weight in index.named_parameters()}
        numpy.testing.assert_array_equal(index.encode(torch.zeros(1, 24, dtype=torch.float64), [3], length=21).detach(),
                                         index.variant.encode([3], length=21, weights=weights))
        self.assertNotEqual(index.variant.encode([3], length=21, weights=weights).tobytes(),
                            index.variant.encode([3], length=4, weights=weights).tobytes())

    def test_batch_axes_are_those_of_a_product_or_refused(self):
        for name in ("fox", "shaw"):
            module = self.module(name)
            at, q, k, v, x = self.given(module.variant, (2, 3))

            def attended(q, k, v, x, module=module, at=at):
                return module.attend(q, k, v, at, causal=True, x=x)

            fewer = q, k[0], v[:, :1], x[0, 0]
            whole = [each.expand(2, 3, *each.shape[-rank:]) for each, rank in zip(fewer, (3, 3, 3, 2))]
            torch.testing.assert_close(attended(*fewer), attended(*whole), rtol=0, atol=0)
            leaves = [each.detach().requires_grad_() for each in fewer]
            self.assertTrue(torch.autograd.gradcheck(attended, leaves, fast_mode=True))
            more = attended(q[0, 0], k[0, 0], v, x[0, 0])  # values alone have a batch
            torch.testing.assert_close(more[1, 2], attended(q[0, 0], k[0, 0], v[1, 2], x[0, 0]))
        module = self.module("fox")
        at, q, k, v, x = self.given(module.variant, (2, 3))
        for wrong in (x.transpose(0, 1), x[:, :2], x[None]):
            with self.assertRaises(ValueError) as raised:
                module.logits(q, k, at, causal=True, x=wrong)
            for shape in (wrong.shape, (2, 3)):
                self.assertIn(str(list(shape)), str(raised.exception))

    def test_other_types_are_refused_and_lazy_negation_is_not(self):
        alibi, t5 = (poslab.torch.Positions(name, d_model=24, heads=2) for name in ("alibi", "t5"))
        rope, q = poslab.torch.Positions("rope", d_model=24, heads=2), torch.randn(2, 4, 12)

        def in_autocast(call):
            with torch.autocast("cpu"):
                return call()

        for wrong, fact in [(lambda: alibi.bias([0], [0], dtype=torch.bfloat16), "bfloat16"),
                            (lambda: rope.bias([0], [0], dtype=torch.bfloat16), "bfloat16"),
                            (lambda: copy.deepcopy(alibi).to(torch.float16).bias([0], [0]), "module.float()"),
                            (lambda: copy.deepcopy(t5).bfloat16().bias([0], [0]), "module.float()"),
                            (lambda: copy.deepcopy(t5).bfloat16().attend(q, q, q, range(4)), "'table' has torch.bfloat16"),
                            (lambda: alibi.bias(torch.arange(9).bfloat16(), range(9)), "256"),
                            (lambda: alibi.bias(range(9), torch.arange(9).half()), "2048"),
                            (lambda: poslab.torch.Positions("alibi", dtype=torch.bfloat16), "bfloat16"),
                            (lambda: poslab.torch.Positions("t5", dtype=torch.float16), "float16"),
                            (lambda: in_autocast(lambda: alibi.logits(q, q, range(4), causal=True)), "autocast"),
                            (lambda: in_autocast(lambda: rope.logits(q, q, range(4))), "autocast"),
                            (lambda: in_autocast(lambda: t5.attend(q, q, q, range(4))), "autocast")]:
            with self.assertRaises(TypeError) as raised:
                wrong()
            self.assertIn(fact, str(raised.exception))
            self.assertNotIn("module.to", str(raised.exception))
        with torch.autocast("cpu"):
            made = torch.nn.Linear(12, 12)(q)
            self.assertEqual(made.dtype, torch.bfloat16)
            with torch.autocast("cpu", enabled=False):
                with self.assertRaises(TypeError) as raised:
                    t5.attend(made, made, made, range(4))
                self.assertIn("q.float()", str(raised.exception))  # the advice, which is followed here
                self.assertEqual(t5.attend(made.float(), made.float(), made.float(), range(4)).dtype, torch.float32)
        negated = torch.complex(q, q).conj().imag
        self.assertTrue(negated.is_neg())
        self.assertTrue(torch.equal(rope.transform(negated, negated, negated[0, :, 0])[0], rope.transform(-q, -q, -q[0, :, 0])[0]))

    def test_what_it_cannot_take(self):
        module = self.module("t5")
        at, q, k, v, _ = self.given(module.variant, (2,))
        for kind, wrong, fact in [
                (TypeError, lambda: module.attend(q.float(), k.float(), v.float(), at), "module.to"),
                (TypeError, lambda: module.attend(q.half(), k.half(), v.half(), at), "float16"),
                (ValueError, lambda: module.attend(q[..., :3, :], k, v, at), "[2, 4, 12]"),
                (ValueError, lambda: module.attend(q.to("meta"), k, v, at), "meta")]:
            with self.assertRaises(kind) as raised:
                wrong()
            self.assertIn(fact, str(raised.exception))


if __name__ == "__main__":
    unittest.main()
