# SPDX-License-Identifier: Apache-2.0
"""Words that were replaced by the field's or the craft's own do not come back into the sources. Names that stand in
results files, studies and plugins stay what they are: KEPT has them."""

import os
import re
import unittest
from pathlib import Path

SOURCE = Path(os.environ["POSLAB_SOURCE_DIR"])
REPLACED = {  # regular expressions of whole words, and what is said instead
    "alphabet|alphabet_": "vocabulary", "Letters": "Tokens", "CellNews": "CellReport", "news|news_": "reports",
    "Told|told_by": "findings", "look_answer|weights_answer": "a message",
    "(most|longest)_[a-z_]+": "max_...", "least_[a-z_]+": "min_..."}
KEPT = {
    "least_axes", "most_axes",  # plugin.h
    "least_attention", "most_attention", "least_bound", "least_bound_distance", "least_change", "least_cosine",
    "least_limit",  # measures
    "least_squares", "least_squares_with_intercept",  # the method
    "longest_seconds"}  # of the cell that has run longest
KEPT_IN = {"experiments/cost": {"alphabet"}}  # an axis


def sources():
    for folder in ("core", "experiments", "plugins", "results", "tests"):
        for file in sorted((SOURCE / folder).rglob("*")):
            if file.suffix in (".cpp", ".hpp", ".h", ".py", ".js") and "node_modules" not in file.parts and file.name != Path(__file__).name:
                yield file, file.read_text()


class Words(unittest.TestCase):
    def test_replaced_words_do_not_come_back(self):
        replaced = {re.compile(old): new for old, new in REPLACED.items()}
        any_of_them = re.compile(rf"\b(?:{'|'.join(REPLACED)})\b")
        found = []
        for file, text in sources():
            place = str(file.relative_to(SOURCE))
            kept = KEPT.union(*(words for folder, words in KEPT_IN.items() if place.startswith(folder)))
            for word in sorted({match[0] for match in any_of_them.finditer(text)} - kept):
                say = next(new for pattern, new in replaced.items() if pattern.fullmatch(word))
                found.append(f"{place}: {word}; say {say}")
        self.assertEqual(found, [])

    def test_comments_say_first_what_they_are_about(self):
        for file, text in sources():
            self.assertIsNone(re.search(r'(//+|#|""") *Of\b.*', text), f"{file}: name the subject before its \"of\"")


if __name__ == "__main__":
    unittest.main()
