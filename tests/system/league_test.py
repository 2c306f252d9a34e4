# SPDX-License-Identifier: Apache-2.0
"""The league of a results file: every score against the file's own numbers, who is left out, and the report's section."""

import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

import h5py
import numpy as np
import pandas as pd

from poslab_case import BINARY, SOURCE, PoslabCase

sys.path.insert(0, str(SOURCE / "results/python"))
import poslab  # noqa: E402
from poslab import markdown  # noqa: E402
from poslab.league import League, is_league, order_beside, scores_of  # noqa: E402
from poslab.league.scores import nats_of_the_best, over_the_best  # noqa: E402
from poslab.league.statistics import of_all_pairs  # noqa: E402

AXES = "layers = 1, batch = 8, warm_up = 5, held_out = 32"
STUDY = f"""
format = 1
title = "a small league"
seed = 3
model = {{ d_model = 32, heads = 2 }}
[[scheme]]
use = "rope"
[[scheme]]
use = "none"
[[scheme]]
use = "learned"
set = {{ max_length = 8 }}
[[scheme]]
use = "binary"
set = {{ bits = 2 }}
[[experiment]]
use = "length-generalisation"
repeats = 2
axes = {{ task = "previous-token", steps = 220, learning_rate = 0.01, rate_factors = [0.3, 1], smallest = 8, largest = 8, size = [4, 8, 16], {AXES} }}
[[experiment]]
use = "language-model"
repeats = 2
axes = {{ task = "markov", steps = 60, learning_rate = 0.01, train_length = 8, multiple = [1, 2], {AXES} }}
"""
MINE = """
import numpy, poslab
@poslab.define(id="mine")
class Mine:
    def encode(self, positions, d_model):
        return numpy.cos(positions[:, None] / numpy.arange(1, d_model + 1))
"""
DIVERGES = """
[[experiment]]
use = "length-generalisation"
repeats = 2
axes = { task = "flip-flop", steps = 5, learning_rate = 1e30, clip = 1e30, warm_up = 0, layers = 1, batch = 8, size = [4, 8], largest = 4 }
"""
# The same with networks that need have learned nothing, for what is asked of several runs.
HASTY = STUDY.replace("steps = 220", "steps = 10").replace("steps = 60", "steps = 10")


class LeagueOfARun(PoslabCase):
    runs: dict[str, Path] = {}

    def run_of(self, study):
        """The results of `study`, made once for all tests: they only read them."""
        if study not in self.runs:
            folder = tempfile.TemporaryDirectory(prefix="poslab-test-")
            self.addClassCleanup(folder.cleanup)
            output = Path(folder.name) / "league.h5"
            self.poslab("run", self.study(study), "-o", output)
            self.runs[study] = output
        return self.runs[study]

    def test_scores_are_those_of_the_file(self):
        path = self.run_of(STUDY)
        run = poslab.open(path)
        self.assertTrue(is_league(run))
        scores = scores_of(run)
        scores = over_the_best(scores, nats_of_the_best(scores, set(scores.variant), {0, 1})).set_index(["task", "variant", "repeat"]).sort_index()
        with h5py.File(path) as file:
            group = file["length-generalisation"]
            variants = run.rows("length-generalisation").variant.to_numpy()
            for i, (variant, repeat) in enumerate(zip(variants, group["repeat"][()])):
                if run.rows("length-generalisation").status.to_numpy()[i] != "ok":
                    continue
                accuracy, chance = group["accuracy"][i], group["chance"][i]
                size = group["size"][()]  # 4 lies below what was trained on, 8 alone
                score = [(a - c) / (1 - c) if math.isfinite(a) else 0.0 for a, c in zip(accuracy, chance)]
                of_trained = [s for s, n in zip(score, size) if n == 8]
                right = [0.0 if math.isnan(a) else a for a, n in zip(accuracy, size) if n == 8]
                taught = sum(right) / len(right) >= 0.9
                row = scores.loc["previous-token", variant, repeat]
                self.assertAlmostEqual(row.trained, max(0, sum(of_trained) / len(of_trained)), places=12)
                self.assertAlmostEqual(row.beyond, max(0, score[-1]) if taught else 0, places=12)
                self.assertAlmostEqual(row.measured_beyond, max(0, score[-1]), places=12)
                self.assertEqual(row.taught, taught)
                self.assertEqual(row.rate, group["chosen_rate"][i])
                tried = [rate for rate, loss in zip(group["tried_rate"][()], group["tried_loss"][i]) if not math.isnan(loss)]
                self.assertEqual(row.rate_is_at_an_edge, row.rate in (min(tried), max(tried)))
                guess = [(u - c) / (1 - c) for u, c in zip(group["unordered"][i], chance)]
                np.testing.assert_allclose(row.without_order, np.mean([g for g, n in zip(guess, size) if n == 8]), atol=1e-12)
                np.testing.assert_allclose(row.without_order_beyond, guess[-1], atol=1e-12)
                held_out = {step: loss for step, loss in zip(group["held_out_step"][()], group["held_out_loss"][i]) if not math.isnan(loss)}
                before, last = max(step for step in held_out if step <= 0.8 * max(held_out)), max(held_out)
                self.assertEqual(row.still_learning, held_out[last] < 0.99 * held_out[before])
            group = file["language-model"]
            loss, best, chance = group["loss"][()], group["best_loss"][()], group["chance_loss"][()]
            for i, variant in enumerate(run.rows("language-model").variant.to_numpy()):
                if run.rows("language-model").status.to_numpy()[i] != "ok":
                    continue
                row = scores.loc["markov", variant, int(group["repeat"][i])]
                below = [max(0.0, (chance[i] - x) / (chance[i] - best[i])) if math.isfinite(x) else 0.0 for x in loss[i]]
                self.assertAlmostEqual(row.trained, below[0], places=12)
                self.assertAlmostEqual(row.beyond, below[1] if chance[i] > loss[i][0] else 0, places=12)
        taught = scores.loc["previous-token"].taught
        self.assertTrue(taught["rope"].all())
        self.assertFalse(taught["none"].any())
        self.assertEqual(list(scores.loc["previous-token", "none"].beyond), [0, 0])
        self.assertGreater(min(scores.loc["previous-token", "rope"].beyond), 0)
        self.assertEqual(list(scores.loc["previous-token", "learned(max_length=8)"].beyond), [0, 0])  # refused there

    def test_who_has_not_every_score_is_left_out_by_name(self):
        league = League(poslab.open(self.run_of(STUDY)))
        self.assertEqual(league.tasks, ["previous-token", "markov"])
        self.assertEqual([name.split("(")[0] for name in league.variants], ["rope", "none", "learned"])
        left_out = {variant.split("(")[0]: why for variant, why in league.left_out.items()}
        self.assertEqual(set(left_out), {"binary"})
        self.assertIn("previous-token (0 of 2 seeds)", left_out["binary"])

    def test_pairs_are_of_the_same_task_and_seed(self):
        league = League(poslab.open(self.run_of(STUDY)))
        rows = league.scores.set_index(["variant", "task", "repeat"]).trained
        expected = [rows["rope", task, seed] - rows["none", task, seed] for task in league.tasks for seed in league.seeds]
        np.testing.assert_array_equal(league.differences("rope", "none", "trained"), expected)
        table = league.table("trained")
        self.assertAlmostEqual(table.loc["rope", "over none"], np.mean(expected), places=12)
        self.assertEqual(sorted(name for group in league.groups("beyond") for name in group), sorted(league.variants))
        pairs = league.pairs("trained")
        self.assertEqual(list(pairs.index), list(table.index))
        adjusted = of_all_pairs(league.variants, lambda a, b: league.p_value(a, b, "trained"))
        self.assertEqual({(a, b): pairs.loc[a, b] for a, b in adjusted}, adjusted)
        self.assertTrue(math.isnan(pairs.loc["rope", "rope"]))

    def test_what_diverged_scores_nothing_and_is_counted(self):
        league = League(poslab.open(self.run_of(HASTY.replace("[[scheme]]\nuse = \"binary\"\nset = { bits = 2 }\n", "") + DIVERGES)))
        rows = league.scores[league.scores.task == "flip-flop"]
        self.assertEqual(set(rows.state), {"diverged"})
        self.assertEqual(set(rows.beyond), {0.0})
        self.assertEqual(set(league.table("beyond").diverged), {2})

    def test_the_report_has_tables_figure_and_the_other_run(self):
        path = self.run_of(STUDY)
        page = self.scratch / "league.md"
        self.expect(0, "report", path, "-o", page)
        content = page.read_text()
        section = content[content.index("## What networks learn"):]
        self.assertIn("3 schemes, 2 tasks, 2 seeds of each", section)
        self.assertIn("With 4 pairs no difference can be told from chance", section)
        league = League(poslab.open(path))
        tables = re.findall(r"^\| scheme \| group \| .*\n\|[-|]+\n((?:\|.*\n)+)", section, re.MULTILINE)
        for kind, shown in zip(("beyond", "trained"), tables, strict=True):
            rows = [row.split(" | ")[:3] for row in shown.splitlines()]
            expected = [[f"| {markdown(variant)}", f"{row.group:.0f}", f"{row['mean']:.2f}"] for variant, row in league.table(kind).iterrows()]
            self.assertEqual(rows, expected)
        self.assertRegex(section, r"\n\| none \| [0-9.]+ / 0.00 \(0\) \| ")
        self.assertRegex(section, r"\n\| \(the best guess without order\) \| 0\.\d\d / 0\.\d\d \| – / – \|\n")
        self.assertRegex(section, r"networks the held-out loss still fell by more\s+than 1 %")
        self.assertIn("](league-league.svg)", section)
        self.assertIn("previous-token", (self.scratch / "league-league.svg").read_text())
        self.assertRegex(section, r"- `?binary.*: no score of every seed for previous-token \(0 of 2 seeds\)")
        self.expect(0, "report", path, "-o", self.scratch / "league.tex")
        content = (self.scratch / "league.tex").read_text()
        section = content[content.index(r"\section*{What networks learn"):]
        self.assertIn("3 schemes, 2 tasks, 2 seeds of each", section)
        self.assertRegex(section, r"\n\{\}learned\(max\\_length=8\) & \d & 0.00 & ")
        self.assertIn("{league-league.pdf}", section)
        self.assertEqual((self.scratch / "league-league.pdf").read_bytes()[:5], b"%PDF-")
        self.expect(0, "report", path, "-o", self.scratch / "league.pdf")
        pages = re.findall(rb"/Type /Page /.*?/MediaBox \[ 0 0 ([0-9.]+) ([0-9.]+) \]", (self.scratch / "league.pdf").read_bytes(), re.DOTALL)
        self.assertGreaterEqual([float(width) > float(height) for width, height in pages[1:-2]].count(True), 1)  # the section's, across
        mine = self.scratch / "mine.h5"
        self.poslab("run", self.study(HASTY.replace('use = "rope"', 'use = "alibi"').replace("a small league", "mine")), "--only", "alibi",
                    "-o", mine)
        self.expect(0, "report", self.run_of(HASTY), "--beside", mine, "-o", page)
        self.assertRegex(page.read_text(), r"\| alibi ‡ \(mine\) \|")
        self.assertRegex(page.read_text(), r"All were trained by poslab \S+, language-model \S+, length-generalisation \S+\.\n")
        self.assertIn("alibi ‡", (self.scratch / "league.svg").read_text())

    def test_a_summary_has_every_task_and_names_the_page_of_groups(self):
        path = self.run_of(STUDY)
        said = self.expect(0, "summary", path)
        self.assertRegex(said, r"\n +previous-token +previous-token +markov +markov\n +scheme +to 8 +> 8 +x 1 +x 2\n")
        rows = {line.split()[0]: line.split()[1:] for line in said[said.index("trained networks, by task"):].splitlines() if line.startswith("  ")}
        with h5py.File(path) as file:
            for variant, numbers in rows.items():
                if variant not in ("rope", "none", "learned(max_length=8)"):
                    continue
                curves = {"length-generalisation": ("accuracy_within", "accuracy_beyond"), "language-model": ("loss",)}
                expected = []
                for experiment, names in curves.items():
                    group = file[experiment]
                    mine = [name.decode() == variant for name in group["variant"][()]]
                    expected += [np.mean(group[name][()][mine].reshape(sum(mine), -1), axis=0) for name in names]
                for number, value in zip(numbers, np.concatenate(expected), strict=True):
                    if math.isnan(value):
                        self.assertEqual(number, "–")
                    else:
                        self.assertAlmostEqual(float(number.split("(")[0]), value, delta=0.06 * max(1.0, abs(value)))
        self.assertIn(f"in groups: poslab report {path}\n", said)
        self.assertEqual(set(rows) & {"rope", "none"}, {"rope", "none"})

    def test_a_scheme_whose_networks_are_anothers_is_named(self):
        study = HASTY.replace('use = "binary"\nset = { bits = 2 }', 'use = "query-temperature"')
        path, page = self.run_of(study), self.scratch / "league.md"
        self.assertEqual(League(poslab.open(path)).duplicates, {"query-temperature": "none"})
        self.expect(0, "report", path, "-o", page)
        section = page.read_text()[page.read_text().index("## What networks learn"):]
        self.assertRegex(section, r"4 schemes, of which 3 are distinct \(query-temperature is none\), 2 tasks")
        self.assertRegex(section, r"\n\| query-temperature \(= none\) \| \d \|")
        self.assertRegex(section, r"a row \(= another\)")
        self.assertRegex(section, r"Each network was\s+trained for 10 steps")
        self.assertIn("| seconds by the clock, load included |", section)
        self.assertRegex(section, r"\n- query-temperature \d+\.\d+: form = llama4\n")
        index = self.gallery_of(path)
        self.assertRegex(index, r"4 schemes, of which 3 are distinct \(query-temperature is none\)")
        self.assertRegex(index, r"\n\| \[query-temperature \(= none\)\]\(query-temperature.md\) \|")
        own = (self.scratch / "gallery/query-temperature.md").read_text()
        self.assertRegex(own, r"\nAll that is measured of these networks is that of none, bit for bit")
        self.assertRegex(own, r"\nTrained was query-temperature \d+\.\d+: form = llama4\.")
        self.assertRegex((self.scratch / "gallery/none.md").read_text(), r"\nAll that is measured of these networks is that of query-temperature,")
        other = self.scratch / "other.h5"
        shutil.copy(path, other)
        with h5py.File(other, "r+") as file:  # one bit of one number of one network
            losses, row = file["language-model/training_loss"], list(file["language-model/variant"][()]).index(b"query-temperature")
            losses[row, 0] = np.nextafter(losses[row, 0], 99)
        self.assertEqual(League(poslab.open(other)).duplicates, {})

    def gallery_of(self, path):
        subprocess.run(["/usr/bin/python3", "-B", "-m", "poslab.gallery", path, "-o", "gallery", "--program", BINARY, "--trained", path,
                        "--trained-page", "studies/a page.md"], cwd=self.scratch, check=True,
                       env=os.environ | {"PYTHONPATH": str(SOURCE / "results/python")})
        return (self.scratch / "gallery/README.md").read_text()

    def test_builds_that_differ_are_named(self):
        mine, page = self.scratch / "mine.h5", self.scratch / "league.md"
        shutil.copy(self.run_of(HASTY), mine)
        with h5py.File(mine, "r+") as file:
            file.attrs["title"] = "mine"
            for name, value in (("git_commit", "0123456789abcdef"), ("experiment_versions", '{"length-generalisation":"1.0","language-model":"1.9"}')):
                del file["provenance"][name]
                file["provenance"][name] = value
            del file["provenance/builds"]  # as in an older file
            for group in ("language-model", "length-generalisation"):  # the same scheme under a name that the other has not
                file[group]["variant"][...] = [b"mine" if name == b"rope" else name for name in file[group]["variant"]]
            file["variant"][...] = [b"mine" if name == b"rope" else name for name in file["variant"]]
        self.expect(0, "report", self.run_of(HASTY), "--beside", mine, "-o", page)
        self.assertRegex(page.read_text(), r"which may train otherwise:\n\n- poslab 01234567, language-model 1.9, length-generalisation 1.0: mine ‡ \(mine\)\n- poslab \S+, language-model .*: the others\n")
        with h5py.File(mine, "r+") as file:
            file["provenance/builds"] = json.dumps([{"poslab": "0.1", "git_commit": "abc-dirty", "cells": 8, "variants": ["none", "mine"]},
                                                    {"poslab": "0.1", "git_commit": "def", "cells": 4, "variants": ["learned(max_length=8)"]},
                                                    {"poslab": "0.1", "git_commit": "fed", "cells": 4, "variants": ["learned(max_length=8)"]}])
        self.expect(0, "report", mine, "-o", page)
        versions = "language-model 1.9, length-generalisation 1.0"
        self.assertIn(f"\n- poslab def and poslab fed, {versions}: learned(max\\_length=8)\n- poslab abc-dirty, {versions}: the others\n", page.read_text())

    def test_a_scheme_that_the_study_has_not_is_run_and_reported_among_the_others(self):
        shutil.copy(self.run_of(HASTY), self.scratch)
        (self.scratch / "elsewhere").mkdir()
        (self.scratch / "elsewhere/mine.py").write_text(MINE)
        study = self.study(HASTY, "league.toml")
        said = self.expect(0, "run", study.name, "--only", "elsewhere/mine.py", "--beside", "league.h5",
                           environment={"POSLAB_PYTHON": sys.executable})
        self.assertIn("league-mine.md\n", said)
        self.assertRegex((self.scratch / "league-mine.md").read_text(), r"\| mine ‡ \(another run\) \|")
        self.assertRegex((self.scratch / "league-mine.md").read_text(), r"\| `mine` ‡ ! †")
        beside = League(poslab.open(self.scratch / "league.h5"), poslab.open(self.scratch / "league-mine.h5"))
        self.assertIn("mine", beside.variants)
        self.assertEqual(sorted(set(poslab.open(self.scratch / "league-mine.h5").index.scheme)), ["mine"])
        for options, sentence in ((["--beside", "league.h5", "-o", "league.h5"], "--beside needs another results file"),
                                  (["--beside", "league.h5", "--shard", "1/2"], "which a shard has not"),
                                  (["--beside", "gone.h5"], "there is no such file")):
            self.assertIn(sentence, self.expect(2, "run", study.name, "--only", "alibi", *options))
        self.assertIn("--beside needs another results file", self.expect(2, "run", study.name, "--only", "task=markov", "--beside", "league.h5"))

    def test_a_gallery_says_on_each_page_what_was_learnt_and_kept(self):
        path = self.run_of(STUDY)
        index = self.gallery_of(path)
        league = League(poslab.open(path))
        text = (self.scratch / "gallery/rope.md").read_text()
        section = text[text.index("\n## After training\n"):]
        self.assertIn("[a small league](../studies/a%20page.md): 2 tasks, 2 seeds of each.", section)
        scores = league.scores[league.scores.variant == "rope"].groupby("task")[["trained", "beyond"]].mean().loc["previous-token"]
        self.assertIn(f"\n| previous-token | {scores.trained:.2f} | {scores.beyond:.2f} | 100 % |", section)
        self.assertRegex(section, r"\n\| interquartile mean \| 0\.\d\d \[0\.\d\d, [01]\.\d\d\] \|")
        self.assertRegex(section, r"Among 3 schemes it is in group 1 of \d by what it learnt, 1 of \d by what it kept")
        left_out = (self.scratch / "gallery/binary.md").read_text()
        self.assertIn("\nNot compared: no score of every seed for previous-token (0 of 2 seeds), markov (0 of 2 seeds).\n", left_out)
        self.assertNotIn("interquartile", left_out)
        rows = re.findall(r"^\| \[(.*?)\]\((.*?).md\) \| (\d) \|", index[index.index("\n## After training\n"):], re.MULTILINE)
        self.assertEqual([variant for variant, *_ in rows], [markdown(variant) for variant in league.table("beyond").index])
        self.assertEqual({scheme for _, scheme, _ in rows}, {"rope", "none", "learned"})

    def test_trainings_of_another_kind_are_no_pairs(self):
        path = self.run_of(HASTY)
        for change, word in ((("seed = 3", "seed = 4"), "seed is 4, where the others have 3"),
                             (('"markov", steps = 10', '"markov", steps = 11'), "its markov is another: steps is 11, where the others have 10")):
            mine = self.scratch / "mine.h5"
            self.poslab("run", self.study(HASTY.replace('use = "rope"', 'use = "alibi"').replace(*change)), "--only", "alibi", "-o", mine,
                        "--fresh")
            league = League(poslab.open(path), poslab.open(mine))
            self.assertNotIn("alibi", league.variants)
            self.assertIn(word, league.left_out["alibi"])

    def test_beside_a_run_that_trained_otherwise_the_order_is_compared(self):
        here, there = poslab.open(self.run_of(STUDY)), poslab.open(self.run_of(HASTY))
        order = order_beside(here, there)
        self.assertEqual(order.differs, {"steps": (["220", "60"], ["10"])})
        self.assertEqual(sorted(name.split("(")[0] for name in order.here.variants), ["learned", "none", "rope"])
        for where, run in (("here", here), ("there", there)):
            means = League(run).by_task("trained")
            for task in ("previous-token", "markov"):
                self.assertEqual(order.scores("trained").loc["rope", (task, where)], means.loc["rope", task])
        page = self.scratch / "order.md"
        self.expect(0, "report", here.path, "--beside", there.path, "-o", page)
        section = page.read_text()[page.read_text().index("**Does the order of schemes hold?**"):]
        self.assertIn("which trained previous-token and markov otherwise (steps 220 or 60 here, 10 there)", section)
        self.assertIn("no pair was told apart there", section)
        self.assertIn("With 4 pairs no difference can be told from chance: the smallest p is 0.12.", section)
        self.assertNotIn("Compared only", section)
        self.assertNotIn("‡", page.read_text() + page.with_suffix(".svg").read_text())
        self.assertIsNone(order_beside(here, here))
        self.assertIsNone(order_beside(here, None))

    def test_an_order_is_of_what_was_trained_otherwise_and_asked_alike(self):
        hasty = poslab.open(self.run_of(HASTY))
        text = poslab.open(self.run_of(HASTY.replace('"markov", steps = 10', '"markov", steps = 30').replace('use = "rope"', 'use = "alibi"')))
        order = order_beside(text, hasty)
        self.assertEqual((order.here.tasks, order.differs), (["markov"], {"steps": (["30"], ["10"])}))
        self.assertEqual([[name.split("(")[0] for name in names] for names in (order.here.variants, order.only_here, order.only_there)],
                         [["none", "learned"], ["alibi"], ["rope"]])
        longer = poslab.open(self.run_of(HASTY.replace("steps = 10", "steps = 11").replace("multiple = [1, 2]", "multiple = [1, 2, 4]")))
        self.assertEqual(order_beside(longer, hasty).here.tasks, ["previous-token"])

    def test_pairs_that_turn_are_named(self):
        order = order_beside(poslab.open(self.run_of(STUDY)), poslab.open(self.run_of(HASTY)))
        scores = {"there": {"rope": 0.9, "none": 0.5, "learned": 0.1}, "here": {"rope": 0.9, "none": 0.2, "learned": 0.4}}
        for where, league in (("there", order.there), ("here", order.here)):
            league.seeds = list(range(6))
            league._compared = pd.DataFrame([{"variant": name, "task": task, "repeat": seed, "trained": score + 0.01 * seed, "beyond": score}
                                             for name, score in scores[where].items() for task in league.tasks for seed in league.seeds])
            league.variants = ["rope", "none", "learned"]
            league.__dict__.pop("_cube", None)
        self.assertEqual(order.told_apart("beyond"), [("rope", "none"), ("rope", "learned"), ("none", "learned")])
        self.assertEqual(order.turned("beyond"), [("none", "learned")])
        self.assertEqual(order.surely_turned("beyond"), [("none", "learned")])
        self.assertAlmostEqual(order.tau("beyond"), 1 / 3)

    def test_a_text_is_scored_by_the_best_that_is_compared(self):
        networks = pd.DataFrame({"task": "text", "variant": ["rope", "none", "weak", "gone"], "in_nats": [True, True, True, np.nan], "repeat": 0,
                                 "trained": [2.0, 1.0, 0.5, 0.0], "beyond": [1.0, 1.0, 0.25, 0.0], "measured_beyond": [1.5, 1.0, 0.5, 0.0],
                                 "nats_to_the_best": np.nan,
                                 "solved": [np.nan, np.nan, np.nan, False], "solved_beyond": np.nan})
        best = nats_of_the_best(networks, ["rope", "none", "gone"], [0])
        self.assertEqual(best, {"text": 2.0})
        self.assertEqual(nats_of_the_best(networks, ["none", "weak"], [0]), {"text": 1.0})
        others = pd.concat([networks, networks[3:].assign(variant="rope", repeat=1)])  # the same, diverged with another seed
        self.assertEqual(nats_of_the_best(others, ["rope"], [0, 1]), {"text": 1.0})
        self.assertEqual(nats_of_the_best(others, ["rope"], [0]), {"text": 2.0})
        scores = over_the_best(networks, best)
        self.assertEqual(list(scores.trained), [1, 0.5, 0.25, 0])
        self.assertEqual(list(scores.beyond), [0.5, 0.5, 0.125, 0])
        self.assertEqual(list(scores.measured_beyond), [0.75, 0.5, 0.25, 0])
        self.assertTrue(scores.solved.isna().all())
        known = over_the_best(networks, nats_of_the_best(networks.assign(nats_to_the_best=4.0), ["rope"], [0]))
        self.assertEqual(list(known.trained), [0.5, 0.25, 0.125, 0])

    def test_a_text_is_scored_by_the_best_of_another_run_where_that_is_asked(self):
        run, other = poslab.open(self.run_of(STUDY)), poslab.open(self.run_of(STUDY))

        def as_texts(one):  # of which the other has learnt twice as much
            scores = scores_of(one).assign(nats_to_the_best=np.nan)
            return scores.assign(trained=2 * scores.trained.astype(float)) if one is other else scores

        with unittest.mock.patch("poslab.league.league.scores_of", side_effect=as_texts):
            alone, beside = League(run), League(run, best_of=League(other))
        self.assertEqual(alone.by_task("trained").markov.max(), 1)
        self.assertEqual(beside.by_task("trained").markov.max(), 0.5)
        self.assertTrue((beside.by_task("trained")["previous-token"] == alone.by_task("trained")["previous-token"]).all())

    def test_seeds_are_those_that_most_have(self):
        path = self.run_of(HASTY)
        more = self.scratch / "more.h5"
        self.poslab("run", self.study(HASTY.replace('use = "rope"', 'use = "alibi"').replace("repeats = 2", "repeats = 3")), "--only",
                    "alibi", "-o", more)
        league = League(poslab.open(path), poslab.open(more))
        self.assertEqual(league.seeds, [0, 1])
        self.assertIn("alibi", league.variants)
        self.assertEqual(len(league.differences("alibi", "rope", "trained")), 4)

    def test_a_task_without_larger_sizes_is_named_and_not_compared(self):
        league = League(poslab.open(self.run_of(HASTY.replace("multiple = [1, 2]", "multiple = [1]"))))
        self.assertEqual((league.tasks, league.other_tasks), (["previous-token"], ["markov"]))
        self.assertEqual(len(league.variants), 3)

    def test_one_seed_is_no_league(self):
        path = self.run_of(HASTY.replace("repeats = 2", "repeats = 1"))
        self.assertFalse(is_league(poslab.open(path)))
        page = self.scratch / "one.md"
        self.expect(0, "report", path, "-o", page)
        self.assertNotIn("What networks learn", page.read_text())


if __name__ == "__main__":
    unittest.main()
