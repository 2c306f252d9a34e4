# SPDX-License-Identifier: Apache-2.0
"""Where each page stands in the site's menu, and the ways in on its first page."""

import os
from collections.abc import Iterable
from fnmatch import fnmatch

HOME = "index.md"  # what README.md is in the site
LAST = "The project"  # the chapter of every page that has no other
MENU = {
    "Schemes": {"plugins/gallery/README.md": "All schemes"},
    "Questions": {"experiments/experiments.md": "All experiments",
                  "experiments/calibration.md": "How often marks are wrong"},
    "Results": {
        "experiments/studies/all-schemes.md": "Every scheme, six questions",
        "experiments/studies/trained-schemes.md": "The same, trained",
        "experiments/studies/published/published.md": "Published results, reproduced",
        "experiments/studies/league.md": "The league",
        "experiments/studies/league/results.md": "The league so far",
        "results-files.md": "",
        "experiments/studies/*.md": "",
        "tests/bench/speed.md": "",
    },
    "Guides": {
        "core/sdk/writing-a-scheme-in-python.md": "A scheme of your own, in Python",
        "core/sdk/writing-a-scheme.md": "A scheme of your own, in C++",
        "core/check/checks.md": "Are its claims true?",
        "core/identify/identify.md": "Is my implementation right?",
        "core/import/import.md": "From a model's configuration",
        "core/study/study-format.md": "A study",
        "core/run/many-machines.md": "Clusters and Slurm",
        "results/notebooks/*.md": "",
        "results/python/schemes.md": "",
        "results/page/page.md": "",
    },
    "Reference": {
        "command-line.md": "",
        "results/schema.md": "The results file",
        "core/sdk/include/poslab/plugin.h.md": "plugin.h: the C boundary",
        "core/network/network.md": "The network",
        "core/tasks/tasks.md": "Tasks",
        "core/journal/resuming.md": "",
        "core/app/json.md": "",
        "core/workers/workers.md": "Workers",
        "core/run/robustness.md": "Robustness",
    },
    LAST: {
        "CHANGELOG.md": "",
        "CONTRIBUTING.md": "",
        "core/architecture.md": "",
        "core/decisions.md": "",
        "core/style.md": "Style",
        "tests/peers/peers.md": "",
    },
}
NAMED = {name for chapter in MENU.values() for name in chapter}
# What is beneath another page than the first one.
BENEATH = {"plugins/gallery/README.md": "plugins/gallery/*.md", "experiments/experiments.md": "experiments/*/*.md"}
WAYS_IN = (
    ("plugins/gallery/README.md", "The gallery", "every encoding with its formula, its picture and its answers"),
    ("experiments/experiments.md", "The questions", "what is measured, and how each measure is defined"),
    ("core/identify/identify.md", "Is my implementation right?",
     "which scheme, parameters and precision made your arrays"),
    ("core/sdk/writing-a-scheme-in-python.md", "A scheme of my own", "ten lines of Python, and the same experiments"),
    ("experiments/studies/published/published.md", "Results", "published numbers, reproduced, each with its gate"),
    ("results-files.md", "Results files, opened", "every answer, curve and definition of a run, in this browser"),
)


def tree(beside: str, entries: Iterable[tuple[str, str]], caption: str = "") -> str:
    """A menu in the page `beside`, which does not show there."""
    lines = []
    for name, title in entries:
        path = os.path.relpath(name, os.path.dirname(beside)).removesuffix(".md")
        lines.append(f"{title} <{path}>" if title else path)
    options = ":hidden:\n" + (f":caption: {caption}\n" if caption else "")
    return "\n```{toctree}\n" + options + "\n" + "\n".join(lines) + "\n```\n"


def toctrees(names: Iterable[str]) -> dict[str, str]:
    """Page -> the lines to append to it, where others are beneath it in the menu."""
    left, trees = sorted(set(names) - {HOME}), {}

    def take(pattern: str) -> list[str]:
        taken = [name for name in left if fnmatch(name, pattern)]
        left[:] = [name for name in left if name not in taken]
        return taken

    tops = {name: take(name) for name in BENEATH}
    chapters = {
        caption: [(name, title) for pattern, title in chapter.items() for name in tops.get(pattern) or take(pattern)]
        for caption, chapter in MENU.items()}
    for page, pattern in BENEATH.items():
        beneath = take(pattern)
        trees[page] = tree(page, [(name, "") for name in beneath])
        for name in beneath:
            scheme = os.path.basename(name).removesuffix(".md")
            own = take(f"plugins/{scheme}/{scheme}.md")
            trees |= {name: tree(name, [(own[0], "its page beside the code")])} if own else {}
    chapters[LAST] += [(name, "") for name in left]
    trees[HOME] = "".join(tree(HOME, entries, caption) for caption, entries in chapters.items() if entries)
    return trees


def home(readme: str) -> str:
    """The README with the ways in and its picture below its first paragraph."""
    title, what_it_is, *rest = readme.split("\n\n")
    pictures = [paragraph for paragraph in rest if paragraph.startswith("![")][:1]
    ways = "\n".join(f"- [**{title}**]({name}) {sentence}" for name, title, sentence in WAYS_IN)
    first = [title, what_it_is, f"````{{container}} ways\n{ways}\n````", *pictures]
    return "\n\n".join(first + [paragraph for paragraph in rest if paragraph not in pictures])
