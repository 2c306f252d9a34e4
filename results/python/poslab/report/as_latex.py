# SPDX-License-Identifier: Apache-2.0
"""A report as a document of LaTeX, with its figure as PDF beside it. The table can be taken over into a paper."""

from typing import Any

from poslab import latex
from poslab.report.page import Page

FIGURE = "{letters}-figure.pdf"  # not STEM.pdf, which is what this document becomes, or a page of its own
SIGNS = {"*": r"\textsuperscript{*}", "†": r"\textsuperscript{\dag}", "‡": r"\textsuperscript{\ddag}", "!": r"\textsuperscript{!}"}
MARKS = {"yes": r"\checkmark{}", "no": r"$\times$", "partly": r"$\sim$", "cannot_tell": "?", "none": ""}


def text(page: Page, study: str, picture: str) -> str:
    body = table(page)
    notes = "\n".join(rf"\item[{number}] {tex_signs(latex(reason))}" for reason, number in page.reasons.items())
    reasons = f"\\begin{{description}}\n{notes}\n\\end{{description}}" if notes else "Every question was answered."
    shown = rf"""
\begin{{figure}}[p]\centering
\includegraphics[width=\linewidth,height=0.95\textheight,keepaspectratio]{{{picture}}}
\caption{{{latex(", ".join(dict.fromkeys(what for _, what in page.pictured)))}. Grey: no number there.}}
\end{{figure}}
""" if picture else ""
    return rf"""% Made by poslab report from the results of {latex(study)}.
\documentclass[a4paper,10pt]{{article}}
\usepackage[utf8]{{inputenc}}
\usepackage[T1]{{fontenc}}
\usepackage{{amssymb,booktabs,graphicx,longtable,textcomp}}
\usepackage[margin=18mm]{{geometry}}
\title{{{latex(page.run.title)}}}
\date{{}}
\begin{{document}}
\maketitle
{body}

{legend(page)}

\paragraph{{Why there is no number}}
{reasons}
{shown}
\end{{document}}
"""


def table(page: Page) -> str:
    """For \\input: needs booktabs, longtable and amssymb."""
    columns = len(page.columns)
    headings = " & ".join(["scheme"] + [latex(column["heading"]) for column in page.columns])
    units = " & ".join([""] + [latex(column["unit"]) for column in page.columns])
    lines = [rf"\begin{{longtable}}{{l{'l' * columns}}}", r"\toprule", rf"{headings} \\", rf"{units} \\", r"\midrule", r"\endhead"]
    for source, variant, signs in page.lines():
        cells = [cell(page, source.answer(variant, column["experiment"])) for column in page.columns]
        lines.append(rf"{latex(source.names[variant])}{''.join(SIGNS[one] for one in signs)} & {' & '.join(cells)} \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{longtable}"])


def cell(page: Page, answer: Any) -> str:
    if answer is None:
        return ""
    return page.shown(answer, MARKS, lambda number: tex_signs(latex(number))).replace("–", "--").replace("…", r"\dots{}")


def legend(page: Page) -> str:
    lines = [r"\noindent\checkmark{} yes, $\times$ no, $\sim$ in part, ? cannot tell from these repeats. Means over "
             r"repeats $\pm$ standard error."]
    lines += [rf"{SIGNS[sign]} {tex_signs(latex(meaning))}." for sign, meaning in page.signs().items()]
    lines.append(r"\begin{description}")
    lines += [rf"\item[{latex(column['heading'])}] {tex_signs(latex(column['legend']))}" for column in page.columns]
    return "\n".join([*lines, r"\end{description}"])


def tex_signs(text: str) -> str:
    """Signs that the fonts of T1 have not."""
    for sign, command in (("±", r"$\pm$"), ("×", r"$\times$"), ("–", "--"), ("≤", r"$\le$"), ("≥", r"$\ge$")):
        text = text.replace(sign, command)
    return text
