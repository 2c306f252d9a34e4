# SPDX-License-Identifier: Apache-2.0
"""The pages lead to one another, and are plain as far as a program can see it (core/style.md): long sentences are counted, and names
that begin with a preposition. `pages_test.py --long [PAGE ...]` prints the long sentences."""

import os
import re
import sys
import unittest
from pathlib import Path

SOURCE = Path(os.environ.get("POSLAB_SOURCE_DIR", Path(__file__).resolve().parents[2]))
FOLDERS = ("core", "experiments", "plugins", "results", "tests")
CODE_BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)

LONGEST = 30  # words of a sentence
LONG_SENTENCES = 51  # as many as there are: a bound that may fall
PREPOSITIONS = 433  # likewise, of names
PREPOSITION = re.compile(r"\b(?:of|by|without)_\w+ ?\(")
GENERATED_PAGES = re.compile(r"plugins/gallery/|experiments/experiments\.md|experiments/studies/league/|experiments/studies/(all|trained)-schemes\.md")
GENERATED_TEXT = re.compile(r"<!-- (Declared|written by|packages|tables|vectors|transformers|others).*?<!-- (Until here\.|end) -->", re.DOTALL)


def pages():
    yield from SOURCE.glob("*.md")
    for folder in FOLDERS:
        yield from (page for page in sorted((SOURCE / folder).rglob("*.md")) if "templates" not in page.parts)


def links_of(page):
    """Those to files, without the place within them."""
    for link in re.findall(r"\]\(([^)\s]+)\)", CODE_BLOCK.sub("", page.read_text())):
        file = link.partition("#")[0]
        if file and "://" not in file:
            yield file


def written_pages():
    """Those that a person writes and that tell no history."""
    for page in pages():
        if page.name != "CHANGELOG.md" and not GENERATED_PAGES.match(page.relative_to(SOURCE).as_posix()):
            yield page


def paragraphs(text):
    """Running text without code, tables, headings and what a program writes; each point of a list is one."""
    text = CODE_BLOCK.sub("\n", GENERATED_TEXT.sub("\n", text))
    for block in re.split(r"\n\s*\n", text):
        lines = [] if all(line.startswith("    ") for line in block.strip("\n").split("\n")) else block.split("\n")
        paragraph = []
        for line in lines:
            begins = re.match(r"\s*(?:[-*]|\d+\.) +(?:\[ \] )?", line)
            is_apart = re.match(r"\s*\||#+ |!\[|<", line)
            if begins or is_apart:
                yield " ".join(paragraph)
                paragraph = []
            if not is_apart:
                paragraph.append(line[begins.end():] if begins else line.strip())
        yield " ".join(paragraph)


def sentences(paragraph):
    text = re.sub(r"`[^`]*`", "Code", paragraph)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text).replace("**", "")
    text = re.sub(r"\b(et al|vs|cf|i\.e|e\.g)\.", r"\1", text)
    return re.split(r"(?<=[.!?])[\")*]*\s+(?=[A-Z\"(*0-9])", text)


def words(sentence):
    return sum(bool(re.search(r"\w", word)) for word in sentence.split())


def long_sentences(page):
    return [sentence for paragraph in paragraphs(page.read_text()) for sentence in sentences(paragraph) if words(sentence) > LONGEST]


def prepositions(file):
    return PREPOSITION.findall(file.read_text())


class Pages(unittest.TestCase):
    def test_every_link_finds_its_file(self):
        links = [(page, link) for page in pages() for link in links_of(page)]
        self.assertGreater(len(links), 300)
        dead = [f"{page.relative_to(SOURCE)}: {link}" for page, link in links if not (page.parent / link).exists()]
        self.assertEqual(dead, [])

    def test_long_sentences_are_no_more_than_they_were(self):
        found = {str(page.relative_to(SOURCE)): len(long_sentences(page)) for page in written_pages()}
        found = {page: count for page, count in found.items() if count}
        print(f"\n{sum(found.values())} sentences of more than {LONGEST} words (at most {LONG_SENTENCES})")
        self.assertLessEqual(sum(found.values()), LONG_SENTENCES, f"pages_test.py --long PAGE shows them: {found}")

    def test_names_that_begin_with_a_preposition_are_no_more_than_they_were(self):
        files = [file for folder in FOLDERS for file in (SOURCE / folder).rglob("*") if file.suffix in (".cpp", ".hpp", ".h", ".py")]
        found = {str(file.relative_to(SOURCE)): prepositions(file) for file in files}
        count = sum(map(len, found.values()))
        print(f"\n{count} calls and definitions of names that begin with of_, by_ or without_ (at most {PREPOSITIONS})")
        self.assertLessEqual(count, PREPOSITIONS, {file: names for file, names in found.items() if names})

    def test_what_counts_as_a_sentence(self):
        text = ("# A heading of many words\n\nOne (Su et al. 2021) is `a. B` short. Two.\n- A point\n  of two lines.\n\n| a | row. Of it |\n\n"
                "```\nCode. Is not. Counted.\n```\n\n    A = formula\n\n<!-- Declared; x. -->\nWritten.\n<!-- Until here. -->\n")
        self.assertEqual([sentence for paragraph in paragraphs(text) for sentence in sentences(paragraph) if sentence],
                         ["One (Su et al 2021) is Code short.", "Two.", "A point of two lines."])
        self.assertEqual(words("Codes - 2 of them - differ."), 5)


if __name__ == "__main__":
    if "--long" in sys.argv:
        asked = [Path(name).resolve() for name in sys.argv[sys.argv.index("--long") + 1:]] or list(written_pages())
        for page in asked:
            for sentence in long_sentences(page):
                print(f"{page.relative_to(SOURCE)}: {words(sentence)} words: {sentence}")
    else:
        unittest.main()
