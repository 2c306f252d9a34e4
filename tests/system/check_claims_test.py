# SPDX-License-Identifier: Apache-2.0
"""`poslab check` on schemes of a few lines: what is false only in some layer, head, length or position is refuted, and what is true in an
unusual form is not."""

import importlib.util
import json
import os
import re
import sys
import unittest

from poslab_case import PoslabCase

os.environ["POSLAB_PYTHON"] = sys.executable
HAS_TORCH = importlib.util.find_spec("torch") is not None

SCHEME = """import math
import numpy as np, poslab
{top}
@poslab.define(id="mine", {define})
class Mine:
{body}
"""
ONE_BIAS = "b = -abs(q[:, None] - k[None, :])"
PER_HEAD = "return np.broadcast_to(b, (heads,) + b.shape)"
WAVES = "a = positions[:, None] * 1e4 ** (-np.arange(0, d_model, 2) / d_model); e = np.concatenate([np.sin(a), np.cos(a)], -1)"
TURNS = "def rotate(self, positions, head_width): return positions[:, None] * 1e4 ** (-np.arange(0, head_width, 2) / head_width)"


def method(signature, *lines):
    return "\n        ".join([f"    def {signature}:", *lines])


def bias(factor, more=""):
    return method(f"bias(self, q, k, heads{more})", ONE_BIAS, f"b = b * ({factor})", PER_HEAD)


# What is false: the claims, the class, the check that finds it, and its words.
FALSE = {
    "a table drawn anew in each process":
        ('claims={"relative"}', "    table = np.random.default_rng().standard_normal(64)\n" +
         method("bias(self, q, k, heads)", "b = self.table[np.minimum(abs(q[:, None] - k[None, :]), 63).astype(int)]", PER_HEAD),
         "repeatable", "in a second process"),
    "relative in the first layer alone": ('claims={"relative"}', bias("1 + 0.1 * layer * q[:, None]", ", layer"), "relative", r"in layer [12]; 0\.1 apart in float64"),
    "nan from the third layer on": ("", bias("1.0 if layer < 2 else np.nan", ", layer"), "finite", "in layer 7.* is nan"),
    "mix by absolute positions":
        ('claims={"relative"}', method("mix(self, attention, k, head_width)",
                                       "return attention @ np.sin(k[:, None] * 0.5 ** np.arange(head_width))"),
         "relative", "what query .* reads of the value"),
    "a window, and scores by absolute positions":
        ('claims={"relative", "may_be_infinite"}',
         method("bias(self, q, k, heads)", "b = np.where(abs(q[:, None] - k[None, :]) > 2, -np.inf, 0.0)", PER_HEAD) + "\n" +
         method("score(self, query, q, k)", "return np.broadcast_to(q[:, None] * 0.1 + 0 * k, (query.shape[0], len(q), len(k)))"),
         "relative", "when all positions move"),
    "a gate that is drawn as 0, times the length":
        ('claims={"length_free"}', '    gate = poslab.weight((1,), init=0.0)\n' + bias("1 + self.gate[0] * math.log(length)", ", length"),
         "length-free", "differs with length"),
    "another slope in short contexts": ('claims={"length_free"}', bias("1.0 if length >= 32 else 2.0", ", length"), "length-free", "length [0-9] "),
    "divided by the number of keys": ('claims={"length_free"}, mask="bidirectional"', bias("1 / len(k)"), "length-free", "more keys follow"),
    "a learnt bias of an absolute key beside rotations":
        ('claims={"relative"}', f"    {TURNS}\n    sink = poslab.weight((\"heads\",), init=0.0)\n" +
         method("bias(self, q, k)", "return self.sink[:, None, None] * (k[None, None, :] == 0) * np.ones_like(q)[None, :, None]"),
         "relative", "when all positions move"),
    "contents that count only where a weight is as drawn":
        ('claims={"content_free"}', "    gate = poslab.weight((1,), init=10.0)\n" +
         method("score(self, query, q, k)", "return max(self.gate[0] - 5, 0) * query.mean(-1)[:, :, None] + 0 * k"), "content-free", "score adds"),
    "a hundred and forty is as a hundred and fifty":
        ("unique_up_to=300", method("encode(self, positions, d_model)", "positions = np.where(positions == 150, 140, positions)", WAVES,
                                    "return e[:, :d_model]"), "unique", "positions 140 and 150 "),
    "a period of two million": ("unique_up_to=4000000", method("encode(self, positions, d_model)", "positions = positions % 2000000", WAVES,
                                                               "return e[:, :d_model]"), "unique", "positions 0 and 2000000 "),
    "the same code wherever it is not refused":
        ("unique_up_to=200", method("encode(self, positions, d_model)",
                                    "if (positions > 150).any(): raise poslab.OutOfRange(f'position {positions.max()} is beyond 150')",
                                    "return np.ones((len(positions), d_model))"), "unique", "positions 0 and 1 "),
    "growth beneath codes": ('claims={"bounded"}', method("encode(self, positions, d_model)", WAVES, "return e[:, :d_model]") + "\n" +
                             method("bias(self, q, k, heads)", "b = -0.02 * np.log1p(abs(q[:, None] - k[None, :]))", PER_HEAD),
                             "bounded", "bias, head 0 grows"),
    "growth in the second head alone":
        ('claims={"bounded"}', method("bias(self, q, k, heads)", "d = abs(q[:, None] - k[None, :])", "b = np.stack([-np.log1p(d)] * heads)",
                                      "b[0] = -1e4 * (d > 8)", "return b"), "bounded", "bias, head 1 grows"),
    "no isometry at a hundred": ('claims={"isometry"}', method("transform(self, x, positions)",
                                                               "return x * np.where(positions == 100, 1.5, 1.0)[None, :, None].astype(x.dtype)"),
                                 "isometry", "at position 100, "),
    "another norm at a hundred": ('claims={"constant_norm"}, max_position=511',
                                  method("encode(self, positions, d_model)", "e = np.ones((len(positions), d_model))",
                                         "e[positions == 100] *= 2", "return e"), "constant-norm", "positions .*100"),
    "an exception at a hundred": ("", bias("1 / np.where(k == 100, None, 1)"), "finite", "at positions 0 to 1023 answered"),
    "frequencies that it does not turn by":
        ('claims={"isometry"}', f"    {TURNS}\n" + method("inverse_frequency(self, head_width)",
                                                          "return 5e5 ** (-np.arange(0, head_width, 2) / head_width)"),
         "frequencies", "by the declared frequencies"),
}

# What is true, or cannot be looked at: the claims, the class, checks, and their words.
TRUE = {
    "a table within its limits": ('min_position=0, max_position=99, claims={"length_free"}',
                                  '    table = poslab.weight((100, "d_model"), init=("normal", 0.02))\n' +
                                  method("encode(self, positions)", "return self.table[positions.astype(int)]"), "limits", "4 ends"),
    "a window that tells positions apart":
        ('claims={"may_be_infinite"}, unique_up_to=10',
         method("bias(self, q, k, heads)", "d = abs(q[:, None] - k[None, :])", "b = np.where(d >= 9, -np.inf, -d)", PER_HEAD),
         "unique", "stood 90 attacks; 2 of 2 variants claim it; 10 positions below 10"),
    "a product of attention and codes": ("", method("mix(self, attention, k, head_width)",
                                                    "return attention @ np.sin(k[:, None] * 0.5 ** np.arange(head_width))"), "split", "in pieces"),
    "a grid that ends early on one axis":
        ("axes=2, min_position=0, max_position=7, unique_up_to=2",
         method("encode(self, positions, d_model)",
                "if (positions[:, 1] > 3).any(): raise poslab.OutOfRange(f'position {positions[:, 1].max():g} of axis 2 is beyond 3')",
                "return np.sin((4 * positions[:, :1] + positions[:, 1:]) * np.arange(1, d_model + 1))"), "split,unique", "in pieces|^stood 12 attacks"),
    "no model of a train length above 256":
        ('claims={"length_free"}', method("prepare(self, train_length)", "if train_length > 256: raise poslab.Refused('too long')") + "\n" + bias("1"),
         "length-free", "^stood"),
    "models of one train length alone":
        ('claims={"length_free"}', method("prepare(self, train_length)", "if train_length != 64: raise poslab.Refused('not 64')") + "\n" + bias("1"),
         "length-free", "train lengths 512 and 32 are refused"),
    "heads of 16 channels": ("", method("prepare(self, head_width)", "if head_width % 16: raise poslab.Refused('16 channels')") + "\n" + bias("1"),
                             "creates", "on a model 64 wide, 4 heads, as the usual one, 32 wide, 4 heads, is refused"),
    "values alone": ('claims={"isometry"}, sides={"value"}', f"    {TURNS}", "gradients,isometry", r"\d+ slopes|^stood"),
    "relative values": ('claims={"relative"}',
                        method("mix(self, attention, q, k, head_width)",
                               "v = np.sin((q[:, None] - k[None, :])[..., None] * 0.5 ** np.arange(head_width))",
                               "return np.einsum('hqk,qkd->hqd', attention, v)"), "relative", "^stood"),
    "frequencies that it turns by": ('claims={"isometry"}', f"    {TURNS}\n" + method("inverse_frequency(self, head_width)",
                                                                                      "return 1e4 ** (-np.arange(0, head_width, 2) / head_width)"),
                                     "frequencies", "2 of 2 variants"),
}

TORCH = """
class Wrong(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, x, factor):
        ctx.save_for_backward(w, x)
        ctx.factor = factor
        return w * x
    @staticmethod
    def backward(ctx, g):
        w, x = ctx.saved_tensors
        return (ctx.factor * g * x).sum_to_size(w.shape), (g * w).sum_to_size(x.shape), None
"""


class Claims(PoslabCase):
    def findings(self, define, body, checks, top=""):
        (self.scratch / "mine.py").write_text(SCHEME.format(top=top, define=define, body=body))
        done = self.poslab("check", "mine.py", "--only", checks, "--time-limit", "120", "--json")
        self.assertTrue(done.stdout, done.stderr)
        return {each["check"]: each for each in json.loads(done.stdout)[0]["checks"]}

    def test_what_is_false_somewhere_is_refuted(self):
        for name, (define, body, check, words) in FALSE.items():
            with self.subTest(name):
                found = self.findings(define, body, check)[check]
                self.assertEqual(found["result"], "failed", found["sentence"])
                self.assertRegex(found["sentence"], words)

    def test_what_is_true_in_an_unusual_form_stands(self):
        for name, (define, body, checks, words) in TRUE.items():
            with self.subTest(name):
                for found in self.findings(define, body, checks).values():
                    self.assertNotEqual(found["result"], "failed", found["sentence"])
                    self.assertRegex(found["sentence"], words)

    def test_attacks_that_cannot_be_made_refute_nothing_and_prove_nothing(self):
        body = method("bias(self, q, k, heads)", "d = abs(q[:, None] - k[None, :])", "b = -d * np.log(d)", PER_HEAD)
        found = self.findings('claims={"relative"}', body, "relative")["relative"]
        self.assertEqual(found["result"], "not performed")
        self.assertRegex(found["sentence"], r"none of \d+ attacks could be made")

    def test_positions_between_integers_that_mean_nothing_are_a_warning(self):
        waves = method("encode(self, positions, d_model)", "positions = {}(positions)", WAVES, "return e[:, :d_model]")
        for function, count in (("np.floor", 1), ("np.array", 0)):
            found = self.findings("real_positions=True", waves.format(function), "finite")["finite"]
            self.assertEqual((found["result"], len(found["warnings"])), ("passed", count), found)

    def test_a_time_limit_refutes_no_claim(self):
        body = method("bias(self, q, k, heads)", "import time; time.sleep(100 * (q.max(initial=0) > 60))", ONE_BIAS, PER_HEAD)
        (self.scratch / "mine.py").write_text(SCHEME.format(top="", define='claims={"relative"}', body=body))
        found = json.loads(self.expect(0, "check", "mine.py", "--only", "relative", "--time-limit", "20", "--json"))[0]["checks"][0]
        self.assertEqual(found["result"], "not performed")
        self.assertIn("--time-limit", found["sentence"])

    @unittest.skipUnless(HAS_TORCH, "PyTorch is not installed")
    def test_a_gradient_that_is_wrong_among_many_keys_or_of_values_is_refuted(self):
        many = ('    w = poslab.weight(("heads", 1, 1), init=("normal", 1.0))\n' +
                method("bias(self, q, k)", "return Wrong.apply(self.w, -abs(q[:, None] - k[None, :])[None].to(self.w.dtype), 1 + (len(k) > 15))"))
        values = ('    w = poslab.weight(("heads", 1, "head_width"), init=("normal", 1.0))\n' +
                  method("transform(self, x, side)", "return Wrong.apply(self.w, x, 1 + (side == 'value'))"))
        for body, more in ((many, ""), (values, ', sides={"query", "value"}')):
            with self.subTest(more):
                found = self.findings('array="torch"' + more, body, "gradients", "import torch\n" + TORCH)["gradients"]
                self.assertEqual(found["result"], "failed", found["sentence"])
                self.assertTrue(re.search('by weight "w"', found["sentence"]), found["sentence"])


if __name__ == "__main__":
    unittest.main()
