"""`poslab check`: a right plugin passes; plugins wrong in one way are caught by the check that is meant for them."""

import json
import re
import shutil
import unittest
from concurrent.futures import ThreadPoolExecutor

from poslab_case import BINARY, BUILD, SOURCE, PoslabCase
from survival import is_sanitized

SANITIZED = is_sanitized(BINARY)  # its runtime catches the signal and ends the process itself

# The wrong plugins of tests/faults, and the check that is meant for each.
MEANT = {
    "bends": "linear",
    "changes_rounding": "floating-point",
    "coarse_float": "precision",
    "counts_queries": "split",
    "crashes": "returns",
    "default_outside": "table",
    "dies_in_layer_1": "returns",
    "exits": "returns",
    "fails_empty": "empty",
    "first_call_counts": "order",
    "keeps_state": "repeatable",
    "leaks_by_nan": "causal",
    "lies_bounded": "bounded",
    "lies_constant_norm": "constant-norm",
    "lies_content_free": "content-free",
    "lies_finite": "finite",
    "lies_isometry": "isometry",
    "lies_length_free": "length-free",
    "lies_relative": "relative",
    "lies_symmetric": "symmetric",
    "lies_unique": "unique",
    "looks_ahead": "causal",
    "moves_by_quarters": "relative",
    "nan_under_a_mask": "finite",
    "newer_minor": "version",
    "usual_outside": "table",
    "no_reason": "errors",
    "no_symbol": "symbols",
    "not_thread_safe": "threads",
    "other_major": "version",
    "overflows_far": "far",
    "prints": "quiet",
    "reads_outside": "bounds",
    "runs_over": "returns",
    "refuses_defaults": "creates",
    "refuses_its_limit": "limits",
    "sees_the_mask": "relative",
    "short_struct": "sizes",
    "sleeps": "returns",
    "throws": "returns",
    "trusts_choices": "parameters",
    "two_symbols": "symbols",
    "undefined_symbol": "symbols",
    "unwritten": "writing",
    "writes_input": "inputs",
    "writes_outside": "bounds",
    "writes_outside_in_layer_1": "bounds",
    "wrong_gradient": "gradients",
}
# Wrong in one way, which other checks see as well.
SEEN_BY_OTHERS = {"bends", "changes_rounding", "keeps_state", "lies_finite", "lies_isometry", "refuses_its_limit", "unwritten"}


def fault(name):
    return BUILD / "faults" / name / f"{name}.so"


class Check(PoslabCase):
    def judged(self, name, *options):
        """The exit code, and {check: finding} of a plugin of tests/faults in its usual mode."""
        done = self.poslab("check", fault(name), "--set", "mode=plain", "--json", *options)
        self.assertTrue(done.stdout, done.stderr)
        return done.returncode, {finding["check"]: finding for finding in json.loads(done.stdout)[0]["checks"]}

    def failed(self, findings):
        return {name for name, finding in findings.items() if finding["result"] == "failed"}

    def test_a_right_plugin_passes(self):
        code, findings = self.judged("toy")
        self.assertEqual(self.failed(findings), set())
        self.assertEqual(code, 0)
        passed = {name for name, finding in findings.items() if finding["result"] == "passed"}
        self.assertGreater(len(passed), 20)
        self.assertNotIn("relative", passed)  # it does not claim to be

    def findings_of(self, scheme: str):
        done = self.poslab("check", BUILD / "test-schemes" / f"{scheme}.so", "--json")
        return done.returncode, {finding["check"]: finding for finding in json.loads(done.stdout)[0]["checks"]}

    def test_angles_that_differ_by_head_and_learned_ones_on_all_sides_pass(self):
        for scheme in ("head-angles", "learned-turns"):
            with self.subTest(scheme=scheme):
                code, findings = self.findings_of(scheme)
                self.assertEqual((code, self.failed(findings)), (0, set()), findings)
                for claim in ("isometry", "relative"):
                    self.assertEqual(findings[claim]["result"], "passed")

    def test_a_gradient_that_is_wrong_in_the_fifth_head_at_a_thousand_in_layer_1_or_under_a_mask_alone_is_refuted(self):
        for missing in ("heads", "distances", "layers", "masks"):
            with self.subTest(missing=missing):
                said = self.expect(1, "check", BUILD / "test-schemes/late-gradient.so", "--set", f"missing={missing}", "--only", "gradients")
                self.assertIn('gradient of bias by weight "strength"', said)

    def test_values_that_nobody_rotates_back_are_not_relative(self):
        code, findings = self.findings_of("half-turned")
        self.assertEqual((code, self.failed(findings)), (1, {"relative"}))
        self.assertRegex(findings["relative"]["sentence"], "what query .* reads of the value at .* when all positions move")

    def test_every_wrong_plugin_is_caught_by_the_check_meant_for_it(self):
        with ThreadPoolExecutor(2) as pool:
            limit = {"sleeps": 1}
            outcomes = list(pool.map(lambda name: self.judged(name, "--time-limit", limit.get(name, 60)), MEANT))
        for (name, meant), (code, findings) in zip(MEANT.items(), outcomes):
            with self.subTest(plugin=name):
                failed = self.failed(findings)
                self.assertEqual(code, 1)
                self.assertIn(meant, failed)
                if name not in SEEN_BY_OTHERS:
                    self.assertEqual(failed, {meant})
                self.assertTrue(all(finding["sentence"] for finding in findings.values()))

    def test_gradients_by_hand_are_held_against_derived_ones_beside(self):
        for folder, name in (("plugins", "wrong_gradient"), ("derived", "toy")):
            (self.scratch / folder).mkdir()
            shutil.copy(fault(name), self.scratch / folder / "toy.so")
        output = self.expect(1, "check", "plugins/toy.so", "--set", "mode=plain", "--only", "by-hand")
        self.assertRegex(output, r"FAIL  by-hand +.*gradient of encode, entry \d+ of `weight_gradients\[0\]`")
        shutil.copy(fault("toy"), self.scratch / "plugins" / "toy.so")
        output = self.expect(0, "check", "plugins/toy.so", "--set", "mode=plain", "--only", "by-hand")
        self.assertRegex(output, r"ok    by-hand +\d+ arrays")

    def test_the_sentence_says_what_happened_and_where(self):
        def sentence(name, check, *options):
            return self.judged(name, "--only", check, *options)[1][check]["sentence"]

        self.assertIn("at mode=plain, D=32 H=4", sentence("crashes", "returns"))
        self.assertIn("mix in float64", sentence("crashes", "returns"))
        self.assertIn("did not come back within 1 s", sentence("sleeps", "returns", "--time-limit", "1"))
        self.assertRegex(sentence("exits", "returns"), r"ended the process with exit code \d+ at mode=plain")
        self.assertIn("threw an exception: thrown across", sentence("throws", "returns"))
        self.assertIn("it wrote to stdout: scoring", sentence("prints", "quiet"))
        self.assertIn("rounding to nearest", sentence("changes_rounding", "floating-point"))
        outside = sentence("writes_outside", "bounds")
        self.assertRegex(outside, r"bias in float64 under a causal mask wrote index (\d+) of `output`, after its end "
                         r"\(it holds \1 numbers\)")
        self.assertRegex(sentence("writes_outside_in_layer_1", "bounds"), "bias in float64 under a causal mask, in layer 1 wrote index")
        before = sentence("reads_outside", "bounds")
        self.assertIn("encode in float64 under a causal mask read index -4 of `positions`, before its start (it holds 9 numbers)", before)
        self.assertIn("died of SIGSEGV", before)
        self.assertIn("changed its input `positions`", sentence("writes_input", "inputs"))
        self.assertIn("random contents, under a causal mask", sentence("sees_the_mask", "relative"))
        self.assertRegex(sentence("nan_under_a_mask", "finite"), "under a causal mask, in layer 1: entry .* is nan")
        self.assertRegex(sentence("dies_in_layer_1", "returns"), "in float64 under a causal mask, in layer 1")
        self.assertIn("gradient of encode by weight \"shift\"", sentence("wrong_gradient", "gradients"))

    def test_a_call_that_dies_is_repeated_beside_guard_pages_to_name_array_and_index(self):
        for check in ("returns", "finite"):  # wherever it dies
            sentence = self.judged("runs_over", "--only", check)[1][check]["sentence"]
            died = "ended the process with exit code" if SANITIZED else "died of SIGSEGV (segmentation fault)"
            self.assertRegex(sentence, re.escape(died) + r"[ \d]* at mode=plain, D=32 H=4")
            self.assertRegex(sentence, r"; `bounds` finds: mode=plain, D=32 H=4, positions of 1 axis: bias in float64 under a causal mask "
                             r"wrote index (\d+) of `output`, after its end \(it holds \d+ numbers\), and died")
        crash = self.judged("crashes", "--only", "returns")[1]["returns"]["sentence"]
        self.assertIn("; `bounds` watches the arrays of a call and saw nothing outside them: look at indices of weights", crash)

    def test_what_a_mask_hides_does_not_refute_symmetry(self):
        code, findings = self.judged("one_sided", "--only", "relative,symmetric")
        self.assertEqual((code, findings["symmetric"]["result"], findings["relative"]["result"]), (0, "passed", "passed"))

    def test_claims_that_are_not_made_but_stand_are_named(self):
        output = self.expect(0, "check", fault("modest"), "--set", "mode=plain")
        self.assertRegex(output, r"\n  -     relative +no variant claims it, but \d+ variants stood "
                         r"(\d+) attacks on it\n"
                         r"(.*\n)+  not claimed, but stood \1 attacks: relative\n  \d+ passed")
        self.assertRegex(output, r"\n  -     symmetric +no variant claims it; attacks refute it\n")
        self.assertRegex(output, r"\n  -     isometry +no variant claims it\n")  # it has nothing to keep norms
        code, findings = self.judged("modest", "--only", "relative,symmetric")
        self.assertEqual(code, 0)
        self.assertEqual(findings["relative"]["result"], "not performed")
        self.assertEqual(findings["relative"]["unclaimed"]["claim"], "relative")
        self.assertGreater(findings["relative"]["unclaimed"]["attacks"], 20)
        self.assertNotIn("unclaimed", findings["symmetric"])

    def test_attacks_on_claims_that_are_not_made_may_run_out_of_time(self):
        code, findings = self.judged("tarries", "--only", "relative", "--time-limit", "1")
        self.assertEqual((code, findings["relative"]["result"]), (0, "not performed"))
        self.assertIn("no variant claims it, and attacks on it did not end in time", findings["relative"]["sentence"])

    def test_a_weight_that_nothing_uses_is_a_warning(self):
        output = self.expect(0, "check", fault("dead_weight"), "--set", "mode=plain", "--only", "gradients")
        self.assertRegex(output, r"\n  ok    gradients .*\n"
                         r"  warn  gradients +weight \"shift\" of toy: its gradient is 0 ")
        self.assertIn("1 passed, 0 failed, 0 not performed, 1 warning, in ", output)
        code, findings = self.judged("dead_weight", "--only", "gradients")
        self.assertEqual((code, findings["gradients"]["result"]), (0, "passed"))
        self.assertEqual(len(findings["gradients"]["warnings"]), 1)
        self.assertNotIn("slope", findings["gradients"]["warnings"][0])
        self.assertEqual(self.judged("toy", "--only", "gradients")[1]["gradients"]["warnings"], [])

    def test_a_refuted_claim_comes_with_the_smallest_counter_example(self):
        relative = self.judged("lies_relative", "--only", "relative")[1]["relative"]["sentence"]
        self.assertIn("query 0 and key 0", relative)
        self.assertIn("when all positions move by 1;", relative)
        unique = self.judged("lies_unique", "--only", "unique")[1]["unique"]["sentence"]
        self.assertIn("positions 40 and 41", unique)
        symmetric = self.judged("lies_symmetric", "--only", "symmetric")[1]["symmetric"]["sentence"]
        self.assertRegex(symmetric, r"query at (1|0|-1) and the key at (1|0|-1) ")

    def test_table_for_people(self):
        output = self.expect(1, "check", fault("bends"), "--set", "mode=plain")
        self.assertRegex(output, r"\n  FAIL  linear +mode=plain")
        self.assertRegex(output, r"\n  ok    symbols +exports poslab_plugin_v1")
        self.assertRegex(output, r"\n  -     isometry +no variant claims it")
        self.assertRegex(output, r"\d+ passed, 2 failed, \d+ not performed, in ")

    def test_schemes_by_name_and_several_at_once(self):
        output = self.expect(0, "check", "none", "index", "--only", "table,relative")
        self.assertIn("none.so", output)
        self.assertIn("index.so", output)
        self.assertEqual(output.count("relative  "), 2)

    def test_variants_that_need_several_parameters(self):
        usual = {"factor": 4, "original_max_position_embeddings": 32}
        scalings = {
            "linear": {"factor": 4},
            "ntk": {"alpha": 4},
            "ntk-by-parts": usual,
            "yarn": usual,
            "dynamic-yarn": {"original_max_position_embeddings": 32},
            "llama3": usual | {"low_freq_factor": 1, "high_freq_factor": 4},
            "proportional": {"p": 0.5},
        }
        for scaling, parameters in scalings.items():
            sets = [word for name, value in parameters.items() for word in ("--set", f"{name}={value}")]
            output = self.expect(0, "check", "rope", "--set", f"scaling={scaling}", *sets)
            self.assertRegex(output, r"ok    isometry|-     isometry")

    def test_what_checks_there_are(self):
        names = [check["check"] for check in json.loads(self.expect(0, "check", "--list", "--json"))]
        self.assertIn("relative", names)
        page = (SOURCE / "core" / "check" / "checks.md").read_text()
        for name in names:
            self.assertIn(f"| `{name}` |", page)

    def test_mistakes_of_the_user(self):
        wrong_name = self.expect(2, "check", "rope", "--only", "relativ")
        self.assertIn('no check "relativ"; did you mean "relative"?', wrong_name)
        self.assertIn("no-such.so: no such file", self.expect(2, "check", "no-such.so"))
        self.assertRegex(self.expect(2, "check", "ropes"), '"ropes"; if it is yours: .*; did you mean "rope"?')
        self.assertIn('"bass" is not a parameter of rope; did you mean "base"?', self.expect(2, "check", "rope", "--set", "bass=1"))
        self.assertIn("name a plugin file or a scheme", self.expect(2, "check"))
        self.assertIn("--time-limit", self.expect(2, "check", "rope", "--time-limit", "0"))
        self.assertIn("do not divide", self.expect(2, "check", "rope", "--d-model", "32", "--heads", "5"))

    def test_a_file_that_is_no_plugin_fails_its_first_check(self):
        path = self.scratch / "text.so"
        path.write_text("no library")
        self.assertRegex(self.expect(1, "check", path), r"FAIL  symbols +no(t an| complete) ELF library")


if __name__ == "__main__":
    unittest.main()
