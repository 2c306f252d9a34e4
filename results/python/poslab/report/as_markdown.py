# SPDX-License-Identifier: Apache-2.0
"""A report in Markdown, with its figure as SVG beside it."""

import re
import shlex
import textwrap
from urllib.parse import quote

from poslab.report import league_section
from poslab.report.block import Block, Items, Paragraph, Picture, Table
from poslab.report.page import Page
from poslab.report.study import Study
from poslab.texts import markdown

FIGURE = "{stem}.svg"
LEAGUE_FIGURE = "{stem}-league.svg"
SIGNS = {"*": "\\*"}  # the others are no markup


def text(page: Page, study: Study, picture: str) -> str:
    again = f"poslab run {shlex.quote(study.name)}"
    source = f"[{markdown(study.name)}]({quote(study.link)})" if study.link else markdown(study.name)
    body = table(page)
    notes = "\n".join(f"{number}. {markdown(reason)}" for reason, number in page.reasons.items())
    return f"""# {markdown(page.run.title)}

Made by `poslab report` from the results of {source} ({markdown(page.cells)}).
A row again, with every measure behind it: {code(f"{again} --only <scheme>")}; all of them: {code(again)}.

{body}

{legend(page)}

Why there is no number:

{notes or "Every question was answered."}
{figure(page, picture)}{league(page)}"""


def table(page: Page) -> str:
    head = " | ".join(markdown(heading(column)) for column in page.columns)
    lines = [f"| scheme | {head} |", "|---" * (1 + len(page.columns)) + "|"]
    for source, variant, signs in page.lines():
        cells = " | ".join(page.shown(source.answer(variant, column["experiment"]), markdown) for column in page.columns)
        lines.append(f"| {code(source.names[variant])}{' ' + ' '.join(SIGNS.get(one, one) for one in signs) if signs else ''} | {cells} |")
    return "\n".join(lines)


def heading(column: dict[str, str]) -> str:
    return f"{column['heading']}, {column['unit']}" if column["unit"] else column["heading"]


def legend(page: Page) -> str:
    lines = [", ".join(f"{markdown(sign)} {markdown(meaning)}" for sign, meaning in page.signs_of_cells().items()) + ".", ""]
    for sign, meaning in page.signs_of_names().items():
        lines += [f"{SIGNS.get(sign, sign)} {markdown(meaning)}.", ""]
    lines += ["| question | what mark and number say |", "|---|---|"]
    lines += [f"| {markdown(column['heading'])} | {code(column['experiment'])}: {markdown(column['legend'])} |"
              for column in page.columns]
    return "\n".join(lines)


def figure(page: Page, picture: str) -> str:
    if not picture:
        return ""
    titles = ", ".join(dict.fromkeys(what for _, what in page.pictured))
    experiments = dict.fromkeys(experiment for experiment, _ in page.pictured)
    shown = "; ".join(f"{code(name)} at {markdown(page.shown_at(name))}" for name in experiments if page.shown_at(name))
    last = f" Where a study varies more than length, the last of its points: {shown}." if shown else ""
    return f"""
![The same rows: {titles}]({quote(picture)})

Grey: the experiment does not apply, or the curve has no number there.{last}
"""


def league(page: Page) -> str:
    parts = [block_text(block, page) for block in page.of_networks()]
    return "\n" + "\n\n".join([f"## {league_section.TITLE}", *filter(None, parts)]) + "\n" if parts else ""


def block_text(block: Block, page: Page) -> str:
    match block:
        case Paragraph(text, is_strong):
            return f"**{markdown(text)}**" if is_strong else filled(markdown(text))
        case Table(head, rows):
            lines = [f"| {' | '.join(map(markdown, cells))} |" for cells in [head, *rows]]
            return "\n".join([lines[0], "|---" * len(head) + "|", *lines[1:]])
        case Items(texts):
            return "\n".join("- " + filled(markdown(text)).replace("\n", "\n  ") for text in texts)
        case Picture():
            return f"![{league_section.CAPTION}]({quote(page.league_picture)})" if page.league_picture else ""


def filled(text: str) -> str:
    """In lines of at most 120 characters, none of which begins as a list, a heading or a quotation would."""
    lines = textwrap.wrap(text, 119, break_long_words=False, break_on_hyphens=False)
    return "\n".join(re.sub(r"^(\d*)(?=[-+#>.)])", r"\1\\", line) for line in lines)


def code(text: str) -> str:
    """As code; what could end it, or a cell of a table, as any other text."""
    return f"`{text}`" if re.fullmatch(r"[\w .,:;/+=()\[\]{}<>\"'-]+", text, re.ASCII) else markdown(text)
