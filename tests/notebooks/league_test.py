# SPDX-License-Identifier: Apache-2.0
"""The statistics of a league against published examples, scipy's definitions written out, and cases whose answer is known."""

import json
import unittest
import unittest.mock
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from samples import SAMPLES  # noqa: F401  # and where poslab lies

import poslab
from poslab.league import League, scores_of
from poslab.league.same_networks import same_networks
from poslab.league.scores import sizes_of
from poslab.league.statistics import groups, holm, interquartile_mean, interval, kendall_tau, of_all_pairs, sign_flip

# Heights of crossed less self-fertilised plants of maize, in eighths of an inch (Darwin 1876, The Effects of Cross and Self
# Fertilisation, table 97); Fisher 1935, The Design of Experiments, section 21: 863 of 32,768 sums are as large.
DARWIN = np.array([49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48], float)


LEAGUE = Path(__file__).resolve().parents[2] / "experiments/studies"


class LongRecall(unittest.TestCase):
    """The table of league.md on what was trained for 12,000 steps holds the numbers of its file."""

    def test_means_and_errors_are_those_of_the_file(self):
        run = poslab.open(LEAGUE / "league/long.h5")
        cells = run["length-generalisation"]
        section = (LEAGUE / "league.md").read_text().partition("## Recall at 12,000 steps")[2].partition("\n## ")[0]
        for label, scheme in (("RoPE", "rope"), ("none", "none")):
            of = cells.sel(scheme=scheme)
            texts = []
            largest = run.curve("accuracy", scheme=scheme).sel(size=12)
            for values in (of.accuracy_within, of.accuracy_beyond, largest):
                values = values.to_numpy().ravel()
                self.assertEqual(len(values), 5)
                texts.append(f"{values.mean():.3f} ± {values.std(ddof=1) / np.sqrt(5):.3f}")
            self.assertIn(f"| {label} | {' | '.join(texts)} |\n", section)
            self.assertEqual(set(of.steps_made.to_numpy().ravel()), {12000})


class InterquartileMean(unittest.TestCase):
    def test_the_lowest_and_the_highest_quarter_are_left_out(self):
        self.assertEqual(interquartile_mean([np.array([9.0, 1, 2, 3]), np.array([4.0, 5, 6, -50])]), (2 + 3 + 4 + 5) / 4)

    def test_quarters_are_rounded_down(self):
        self.assertEqual(interquartile_mean([np.array([1.0, 2, 30])]), 11)
        self.assertEqual(interquartile_mean([np.array([1.0, 2, 3, 4, 50, 60, 70])]), (2 + 3 + 4 + 50 + 60) / 5)


class Interval(unittest.TestCase):
    def test_without_differences_within_tasks_it_is_a_point(self):
        low, high = interval([np.full(5, 0.25), np.full(5, 0.75)])
        self.assertEqual((low, high), (0.5, 0.5))

    def test_it_is_that_of_all_resamples(self):
        scores = [np.array([0.1, 0.5, 0.9]), np.array([0.2, 0.3, 0.4])]
        means = sorted(interquartile_mean([scores[0][list(a)], scores[1][list(b)]])
                       for a in product(range(3), repeat=3) for b in product(range(3), repeat=3))
        exact = np.percentile(means, [2.5, 97.5])
        np.testing.assert_allclose(interval(scores, draws=100_000), exact, atol=0.01)

    def test_the_same_seed_gives_the_same_and_tasks_stay(self):
        scores = [np.linspace(0, 1, 5), np.linspace(0.5, 0.6, 5)]
        self.assertEqual(interval(scores, 3), interval(scores, 3))
        self.assertNotEqual(interval(scores, 3), interval(scores, 4))


class SignFlip(unittest.TestCase):
    def test_fishers_maize(self):
        self.assertEqual(sign_flip(DARWIN), 2 * 863 / 2**15)

    def test_what_is_no_number_is_refused(self):
        for refused in (lambda: sign_flip(np.array([1, np.nan])), lambda: interquartile_mean([np.array([np.nan])]),
                        lambda: interval([np.array([1, np.nan])])):
            with self.assertRaisesRegex(ValueError, "NaN"):
                refused()

    def test_halves_give_what_going_through_all_gives(self):
        random = np.random.Generator(np.random.Philox(9))
        for pairs in (1, 2, 7, 14):
            differences = random.normal(0.3, 1, pairs).round(1)  # with ties, and zeros
            signs = np.array(list(product((1, -1), repeat=pairs)))
            exact = np.mean(np.abs(signs @ differences) >= abs(differences.sum()) - 1e-9)
            self.assertEqual(sign_flip(differences), exact)

    def test_pairs_that_do_not_differ_say_nothing(self):
        self.assertEqual(sign_flip(np.concatenate([DARWIN, np.zeros(40)])), 2 * 863 / 2**15)

    def test_where_signs_are_drawn_it_is_close_to_all_of_them(self):
        differences = np.concatenate([DARWIN, np.tile([10.0, -3, 5], 6)])  # 33 pairs
        exact = sign_flip(differences[:-1])  # without a 5
        drawn = sign_flip(differences)
        self.assertLess(abs(drawn - self.by_convolution(differences)), 4 * np.sqrt(drawn / 99_999))
        self.assertEqual(exact, self.by_convolution(differences[:-1]))

    def by_convolution(self, differences):
        """Counts how many assignments have each sum, where all differences are whole numbers."""
        counts = {0: 1}
        for difference in map(int, differences):
            counts = {total: counts.get(total - difference, 0) + counts.get(total + difference, 0)
                      for total in {known + sign * difference for known in counts for sign in (1, -1)}}
        seen = abs(int(differences.sum()))
        return sum(count for total, count in counts.items() if abs(total) >= seen) / 2 ** len(differences)

    def test_five_pairs_cannot_go_below_a_sixteenth(self):
        self.assertEqual(sign_flip(np.array([1.0, 2, 3, 4, 5])), 2 / 32)
        self.assertEqual(sign_flip(np.zeros(5)), 1)
        self.assertEqual(sign_flip(np.array([0.1, 0.2, -0.3])), 1)  # a sum that is 0 but for rounding


class Holm(unittest.TestCase):
    def test_an_example_worked_by_hand(self):
        # 4 x 0.005, 3 x 0.01, 2 x 0.03, then 0.04, which may not be less than the one before.
        np.testing.assert_allclose(holm([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02])

    def test_none_is_above_one(self):
        self.assertEqual(holm([0.9, 0.8]), [1, 1])
        self.assertEqual(holm([]), [])


class Groups(unittest.TestCase):
    def test_a_group_has_all_that_cannot_be_told_from_its_best(self):
        p = {("a", "b"): 0.5, ("a", "c"): 0.001, ("a", "d"): 0.4, ("c", "e"): 0.2, ("a", "e"): 0.001}
        self.assertEqual(groups({"b": 0.8, "a": 0.9, "c": 0.7, "d": 0.6, "e": 0.1}, p), [["a", "b", "d"], ["c", "e"]])

    def test_pairs_are_corrected_for_all_of_them(self):
        p = {("a", "b"): 0.01, ("a", "c"): 0.02, ("b", "c"): 0.03}
        adjusted = of_all_pairs(["a", "b", "c"], lambda one, other: p[one, other])
        np.testing.assert_allclose([adjusted["a", "b"], adjusted["a", "c"], adjusted["c", "b"]], [0.03, 0.04, 0.04])  # 3, 2 and 1 times
        self.assertEqual(adjusted["b", "a"], adjusted["a", "b"])

    def test_equal_schemes_are_one_group_in_nineteen_of_twenty_leagues(self):
        random = np.random.Generator(np.random.Philox(11))
        names = [f"scheme {i}" for i in range(10)]
        split = corrected_for_the_best_alone = 0
        for _ in range(100):
            scores = {name: random.normal(size=12) for name in names}
            means = {name: float(of.mean()) for name, of in scores.items()}
            p = {(a, b): sign_flip(scores[a] - scores[b]) for a in names for b in names if a != b}
            split += len(groups(means, of_all_pairs(names, lambda a, b: p[a, b]))) > 1
            best = max(names, key=lambda name: means[name])
            corrected_for_the_best_alone += min(holm([p[best, name] for name in names if name != best])) < 0.05
        self.assertLessEqual(split, 10)  # 5 expected; above 10 in 1 of 100 draws
        self.assertGreater(corrected_for_the_best_alone, split)


class KendallTau(unittest.TestCase):
    def test_an_example_of_scipys_documentation(self):
        self.assertAlmostEqual(kendall_tau([12, 2, 1, 12, 2], [1, 4, 7, 1, 0]), -0.47140452079103173, places=15)

    def test_pairs_counted_one_by_one(self):
        random = np.random.Generator(np.random.Philox(5))
        for _ in range(50):
            first, second = random.integers(6, size=(2, 8))
            same = other = apart = apart_too = 0
            for i in range(8):
                for j in range(i):
                    a, b = first[i] - first[j], second[i] - second[j]
                    same, other, apart, apart_too = same + (a * b > 0), other + (a * b < 0), apart + (a != 0), apart_too + (b != 0)
            self.assertAlmostEqual(kendall_tau(list(first), list(second)), (same - other) / (apart * apart_too) ** 0.5, places=12)

    def test_the_same_order_the_other_way_round_and_none(self):
        self.assertEqual(kendall_tau([0.1, 0.2, 0.7], [1, 2, 3]), 1)
        self.assertEqual(kendall_tau([0.1, 0.2, 0.7], [3, 2, 1]), -1)
        self.assertTrue(np.isnan(kendall_tau([0, 0, 0], [3, 2, 1])))


class Sizes(unittest.TestCase):
    def test_what_lies_below_the_smallest_trained_size_lies_neither_within_nor_beyond(self):
        sizes, within = sizes_of({"size_list": "[1, 2, 3, 4, 5]", "smallest": 3, "largest": 4}, "length-generalisation")
        self.assertEqual((sizes.tolist(), within.tolist()), ([3, 4, 5], [True, True, False]))

    def test_of_a_text_it_is_multiples_of_the_trained_length(self):
        sizes, within = sizes_of({"multiple_list": "[1, 2, 8]"}, "language-model")
        self.assertEqual((sizes.tolist(), within.tolist()), ([1, 2, 8], [True, False, False]))


def networks(variants, seeds, task="copy", of="a run", **training):
    """A row for each network, as scores_of gives them."""
    return pd.DataFrame([{"task": task, "variant": name, "scheme": name, "repeat": seed, "state": "ok",
                          "training": json.dumps({"seed": 1} | training), "trained": 0.9, "beyond": 0.1 * seed, "measured_beyond": 0.1 * seed, "taught": True, "solved": True,
                          "solved_beyond": False, "rate": 0.01, "rate_is_at_an_edge": False, "without_order": np.nan,
                          "without_order_beyond": np.nan,
                          "still_learning": False, "chance_is_known": True, "in_nats": False, "nats_to_the_best": np.nan, "seconds": 1.0}
                         for name in variants for seed in seeds])


def league(first, beside=None):
    found = [first] if beside is None else [first, beside]
    runs = [unittest.mock.Mock(title=f"run {number}") for number, _ in enumerate(found)]
    with unittest.mock.patch("poslab.league.league.scores_of", side_effect=found):
        return League(*runs)


class WhoIsCompared(unittest.TestCase):
    def test_who_was_given_another_text_is_left_out(self):
        ours, others = ({"file text": digits} for digits in ("1111", "2222"))
        found = league(networks(["rope", "none"], [0, 1], "text", **ours), networks(["mine"], [0, 1], "text", **others))
        self.assertEqual(found.variants, ["rope", "none"])
        self.assertEqual(found.left_out["mine"], "its text is another: file text is 2222, where the others have 1111")

    def test_those_that_were_trained_otherwise_have_no_say_in_the_seeds(self):
        found = league(networks(["rope", "none"], [0, 1, 2]), networks(["a", "b", "c"], [0, 1, 2, 3, 4], steps="7"))
        self.assertEqual(found.variants, ["rope", "none", "a", "b", "c"])  # the first run says nothing of steps
        found = league(networks(["rope", "none"], [0, 1, 2], steps="3"), networks(["a", "b", "c"], [0, 1, 2, 3, 4], steps="7"))
        self.assertEqual((found.variants, found.seeds), (["rope", "none"], [0, 1, 2]))

    def test_seeds_are_those_with_which_most_networks_are_compared(self):
        some = [networks([name], seeds) for name, seeds in (("a", [0, 1, 2, 3]), ("b", [0, 1, 2]), ("c", [0, 1, 3]), ("d", [0, 1, 2, 3]))]
        found = league(pd.concat(some, ignore_index=True))
        self.assertEqual((found.seeds, found.variants), ([0, 1, 2], ["a", "b", "d"]))  # 9 networks; of 0 to 3 there would be 8, and so of 0 and 1

    def test_a_task_that_was_not_asked_at_its_trained_sizes_is_not_compared(self):
        beyond = networks(["rope", "none"], [0, 1], "s3").assign(trained=np.nan)
        found = league(pd.concat([networks(["rope", "none"], [0, 1]), beyond], ignore_index=True))
        self.assertEqual((found.tasks, found.other_tasks, len(found.variants)), (["copy"], ["s3"], 2))

    def test_one_that_diverged_makes_no_task_of_one_that_was_not_asked_beyond(self):
        within = networks(["rope", "none"], [0, 1], "s3").assign(beyond=np.nan, measured_beyond=np.nan)
        within.loc[0, ["state", "trained", "beyond"]] = ["diverged", 0.0, 0.0]
        found = league(pd.concat([networks(["rope", "none"], [0, 1]), within], ignore_index=True))
        self.assertEqual((found.tasks, found.other_tasks, found.mean("rope", "beyond")), (["copy"], ["s3"], 0.05))

    def test_seeds_that_nobody_has_alone_may_be_those_of_most(self):
        some = [networks([name], seeds) for name, seeds in (("a", [0, 1, 2]), ("b", [0, 1, 3]), ("c", [0, 1, 4]))]
        found = league(pd.concat(some, ignore_index=True))
        self.assertEqual((found.seeds, found.variants), ([0, 1], ["a", "b", "c"]))

    def test_who_has_none_of_the_tasks_is_named(self):
        found = league(networks(["rope", "none"], [0, 1]), networks(["mine"], [0, 1], "s3"))
        self.assertEqual(found.left_out, {"mine": "it has none of these tasks"})

    def test_where_nobody_is_compared_a_table_says_why(self):
        found = league(networks(["rope"], [0], "s3").assign(state="failed"))
        with self.assertRaisesRegex(ValueError, "no variant can be compared: rope: no score of every seed"):
            found.table("beyond")

    def test_the_same_task_of_two_experiments_is_two_tasks(self):
        run = unittest.mock.Mock(experiments=["length-generalisation", "language-model"])
        parts = [networks(["rope"], [0]), pd.concat([networks(["rope"], [0]), networks(["rope"], [0], "markov")])]
        with unittest.mock.patch("poslab.league.scores._of_experiment", side_effect=parts):
            self.assertEqual(list(scores_of(run).task), ["copy", "copy, language-model", "markov"])

    def test_of_the_leagues_schemes_two_are_others(self):
        run = poslab.open(Path(__file__).parents[2] / "experiments/studies/league/league.h5")
        self.assertEqual(same_networks(run), {"query-temperature": "none", "cape": "sinusoidal"})
        self.assertEqual(run.scheme_of("fope", ["length-generalisation"])[0], "fope 1.0")
        self.assertEqual(run.scheme_of("fope", ["length-generalisation"])[1]["form"], "authors")

    def test_how_a_network_was_trained_names_the_file_that_it_read(self):
        run = poslab.open(Path(__file__).parents[2] / "experiments/studies/league/league.h5")
        self.assertEqual(list(run.files), ["text"])
        trainings = scores_of(run).drop_duplicates("task").set_index("task").training
        self.assertEqual(json.loads(trainings["text"])["file text"], run.files["text"][:8])
        self.assertNotIn("file text", json.loads(trainings["copy"]))


if __name__ == "__main__":
    unittest.main()
