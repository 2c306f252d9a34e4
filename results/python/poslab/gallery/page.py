# SPDX-License-Identifier: Apache-2.0
"""The pages of a gallery, in Markdown. What others wrote goes through `poslab.markdown`; answers stand as they are stored."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

import pandas as pd

from poslab.gallery import trained
from poslab.gallery.trained import Trained
from poslab.report.page import meanings_of_names
from poslab.run_file import RunFile
from poslab.texts import markdown

FAMILIES = {"none": "no encoding", "additive": "additive: a vector is added to the token", "rotary": "rotary: queries and keys are rotated",
            "bias": "bias: a number is added to the logit", "relative vectors": "relative vectors: keys or values change with the offset",
            "contextual": "contextual: what tokens hold takes part"}
NONE = "–"  # where nothing is said


def said(answer: Any) -> str:
    """`yes, 1.42 ± 0.03`: an answer, its mark as a word."""
    mark = "" if answer.mark == "none" else answer.mark.replace("_", " ")
    return markdown(", ".join(filter(None, (mark, answer.text))))


def question(answer: Any) -> str:
    """`own code (codes)`: the heading, with the unit of its numbers."""
    return markdown(answer.heading + (f" ({answer.unit})" if answer.unit else ""))


def answers_of(run: RunFile, answers: pd.DataFrame, variant: str) -> Iterator[tuple[str, str, str]]:
    """For each question of the run, what is said of this variant and the sentence for it; a reason where nothing is."""
    cells = run.index[run.index.variant == variant]
    for experiment in run.experiments:
        found = answers[(answers.variant == variant) & (answers.experiment == experiment)]
        for answer in found.itertuples():
            yield question(answer) or markdown(experiment), said(answer), markdown(answer.sentence)
        unasked = cells[(cells.experiment == experiment) & (cells.status != "ok")]
        if found.empty and len(unasked):
            yield markdown(experiment), markdown(unasked.status.iloc[0]), markdown(unasked.message.iloc[0])


def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def signed(run: RunFile, signs: Mapping[str, str], variant: str) -> str:
    """Its name with its signs; `signs`: of names."""
    return " ".join([markdown(run.labels[variant].short), *map(markdown, signs.get(variant, ""))])


def explained(run: RunFile, signs: str) -> list[str]:
    """What these signs mean."""
    return [line for sign, meaning in meanings_of_names(run).items() if sign in signs for line in ("", f"{markdown(sign)} {markdown(meaning)}.")]


def facts_of(scheme: dict[str, Any]) -> list[str]:
    facts = {"paper": scheme["paper"], "known from": scheme["used_in"], "family": FAMILIES.get(scheme["family"], scheme["family"]),
             "claims": ", ".join(claim.replace("_", " ") for claim in scheme["variant"].get("claims", [])),
             "learned": ", ".join(weight["name"] for weight in scheme["variant"].get("weights", []))}
    return ["| | |", "|---|---|", *(f"| {fact} | {markdown(text)} |" for fact, text in facts.items() if text)]


def page(run: RunFile, scheme: dict[str, Any], shown: str, traps: str, own_page: str, after: Trained | None = None) -> str:
    """`shown`: what the picture shows, in words, and `own_page`: where the scheme's page is; empty if there is none. `after`: what
    networks with it have learnt.
    """
    name, answers, signs = scheme["id"], run.answers, run.signs_of_names
    lines = [f"# {markdown(scheme['title'])} (`{name}`)", "", markdown(scheme["summary"]), "", "```", printable_lines(scheme["formula"]), "```", "",
             *facts_of(scheme), ""]
    picture = [f"![{markdown(shown)}]({quote(name)}.png)", "", markdown(shown), ""]
    lines += picture if shown else ["It adds nothing and rotates nothing: there is nothing to draw.", ""]
    lines += ["## Answers"]
    variants = variants_of(run, name)
    for variant in variants:
        rows = [row(*cells) for cells in answers_of(run, answers, variant)]
        lines += ["", f"### {signed(run, signs, variant)}", "", "| question | answer | in full |", "|---|---|---|", *rows]
    lines += explained(run, "".join(signs.get(variant, "") for variant in variants))
    lines += trained.section(after, name) if after else []
    lines += ["", "## Traps", "", traps] if traps else []
    lines += ["", f"More on [its own page]({quote(own_page)}): parameters, what to expect, what it agrees with."] if own_page else []
    return "\n".join([*lines, "", "[All schemes](README.md)", ""])


def printable_lines(text: str) -> str:
    """A formula, in a block of code that nothing in it can end."""
    return "\n".join(line.strip() for line in text.replace("```", "'''").splitlines())


def variants_of(run: RunFile, scheme: str) -> list[str]:
    return [variant for variant, label in run.labels.items() if label.scheme == scheme]


def index(run: RunFile, schemes: dict[str, dict[str, Any]], after: Trained | None = None) -> str:
    """Every scheme by its family, each variant with what is said of it; then what networks with them have learnt."""
    answers, signs = run.answers, run.signs_of_names
    columns = answers.drop_duplicates("experiment")
    columns = [column for name in run.experiments for column in columns[columns.experiment == name].itertuples()]
    lines = [f"# {markdown(run.title)}: a gallery", "",
             f"Made by `poslab.gallery` from the results of {len(run.index)} cells. A page for each scheme has its formula, a "
             "picture, its answers in full, its traps and the models that have it.", ""]
    found = {scheme["family"] for scheme in schemes.values()}
    for family in [name for name in FAMILIES if name in found] + sorted(found - FAMILIES.keys()):
        title = FAMILIES.get(family, markdown(family))
        lines += [f"## {title[0].upper()}{title[1:]}", "", row("scheme", *(question(column) for column in columns)),
                  "|---" * (1 + len(columns)) + "|"]
        for scheme in [scheme["id"] for scheme in schemes.values() if scheme["family"] == family]:
            for variant in variants_of(run, scheme):
                name = f"[{signed(run, signs, variant)}]({quote(scheme)}.md)"
                lines.append(row(name, *(answered(answers, variant, column.experiment) for column in columns)))
        lines += [""]
    lines += ["## What the columns say", ""]
    lines += [f"- **{markdown(column.heading)}**: {markdown(column.legend)}" for column in columns]
    lines += [*explained(run, "".join(signs.values())), ""]
    return "\n".join([*lines, *(trained.index(after, set(schemes)) if after else [])])


def answered(answers: pd.DataFrame, variant: str, experiment: str) -> str:
    found = answers[(answers.variant == variant) & (answers.experiment == experiment)]
    return "; ".join(said(answer) for answer in found.itertuples()) or NONE
