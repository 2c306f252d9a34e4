# SPDX-License-Identifier: Apache-2.0
"""A report as a document of LaTeX, with its figure as PDF beside it. The table can be taken over into a paper."""

import unicodedata

from poslab.report import league_section
from poslab.report.block import Block, Items, Paragraph, Picture, Table
from poslab.report.page import Page
from poslab.report.study import Study
from poslab.texts import latex

FIGURE = "{letters}-figure.pdf"  # not STEM.pdf, which is what this document becomes, or a page of its own
LEAGUE_FIGURE = "{letters}-league.pdf"
SIGNS = {"*": r"\textsuperscript{*}", "†": r"\textsuperscript{\dag}", "‡": r"\textsuperscript{\ddag}", "!": r"\textsuperscript{!}"}
OWN_SIGNS = {"±": r"$\pm$", "×": r"$\times$", "–": "--", "≤": r"$\le$", "≥": r"$\ge$", "‡": r"\ddag{}", "†": r"\dag{}", "→": r"$\to$",
             "…": r"\dots{}", "−": "$-$", "∞": r"$\infty$", "√": r"$\surd$", "✓": r"\checkmark{}", "✗": r"$\times$"}
LAST_OF_T1, NOT_IN_T1 = 0x17F, "ħĦĸĿŀŉŧŦſ"  # Latin, with all that stands on and under letters
MORE_OF_T1 = "‘’‚“”„—‹›•€"
GREEK = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega".split()


def text(page: Page, study: Study, picture: str) -> str:
    body = table(page)
    notes = "\n".join(rf"\item[{number}] {{}}{tex(reason)}" for reason, number in page.reasons.items())
    reasons = f"\\begin{{description}}\n{notes}\n\\end{{description}}" if notes else "Every question was answered."
    shown = rf"""
\begin{{figure}}[p]\centering
\includegraphics[width=\linewidth,height=0.95\textheight,keepaspectratio]{{{picture}}}
\caption{{{tex(", ".join(dict.fromkeys(what for _, what in page.pictured)))}. Grey: no number there.}}
\end{{figure}}
""" if picture else ""
    return rf"""% Made by poslab report from the results of {latex(study.name)} ({latex(page.cells)}).
\documentclass[a4paper,10pt]{{article}}
\usepackage[utf8]{{inputenc}}
\usepackage[T1]{{fontenc}}
\usepackage{{amssymb,booktabs,graphicx,longtable,textcomp}}
\usepackage[margin=18mm]{{geometry}}
\title{{{tex(page.run.title)}}}
\date{{}}
\begin{{document}}
\maketitle
{body}

{legend(page)}

\paragraph{{Why there is no number}}
{reasons}
{shown}{league(page)}
\end{{document}}
"""


def table(page: Page) -> str:
    """For \\input: needs booktabs, longtable and amssymb."""
    columns = len(page.columns)
    headings = " & ".join(["scheme"] + [tex(column["heading"]) for column in page.columns])
    units = " & ".join([""] + [tex(column["unit"]) for column in page.columns])
    lines = [rf"\begin{{longtable}}{{l{'l' * columns}}}", r"\toprule", rf"{headings} \\", rf"{units} \\", r"\midrule", r"\endhead"]
    for source, variant, signs in page.lines():
        cells = [page.shown(source.answer(variant, column["experiment"]), tex) for column in page.columns]
        lines.append(rf"{{}}{tex(source.names[variant])}{''.join(SIGNS[one] for one in signs)} & {' & '.join(cells)} \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{longtable}"])


def legend(page: Page) -> str:
    lines = [r"\noindent{}" + ", ".join(f"{tex(sign)} {tex(meaning)}" for sign, meaning in page.signs_of_cells().items()) + "."]
    lines += [rf"{SIGNS[sign]} {tex(meaning)}." for sign, meaning in page.signs_of_names().items()]
    lines.append(r"\begin{description}")
    lines += [rf"\item[{{{tex(column['heading'])}}}] {{}}{tex(column['legend'])}" for column in page.columns]
    return "\n".join([*lines, r"\end{description}"])


def league(page: Page) -> str:
    parts = [block_text(block, page) for block in page.of_networks()]
    return "\n" + "\n\n".join([rf"\section*{{{league_section.TITLE}}}", *filter(None, parts)]) + "\n" if parts else ""


def block_text(block: Block, page: Page) -> str:
    """Tables are broken over pages, and small: one of them has ten columns."""
    match block:
        case Paragraph(text, is_strong):
            return rf"\textbf{{{tex(text)}}}" if is_strong else tex(text)
        case Table(head, rows):
            lines = ["{}" + " & ".join(map(tex, cells)) + r" \\" for cells in rows]  # "{}": a cell may begin with * or [
            titles = " & ".join(rf"\rotatebox{{60}}{{{tex(title)}}}" for title in head) + r" \\"
            return "\n".join([r"{\tiny\setlength{\tabcolsep}{3pt}", rf"\begin{{longtable}}{{{'l' * len(head)}}}", r"\toprule", titles,
                              r"\midrule", r"\endhead", *lines, r"\bottomrule", r"\end{longtable}", "}"])
        case Items(texts):
            return "\n".join([r"\begin{itemize}", *(rf"\item {{}}{tex(text)}" for text in texts), r"\end{itemize}"])
        case Picture():
            return (rf"\begin{{figure}}[p]\centering\includegraphics[width=\linewidth,height=0.9\textheight,keepaspectratio]"
                    rf"{{{page.league_picture}}}\caption{{{tex(league_section.CAPTION)}.}}\end{{figure}}") if page.league_picture else ""


def tex(text: object) -> str:
    """A text of a file as this document's fonts set it: signs that T1 has not as mathematics, or by their number."""
    signs = latex(text).replace(r"\textasciitilde{}", r"$\sim$")  # on the line, as a mark stands
    return "".join(OWN_SIGNS.get(sign) or greek(sign) or (sign if is_in_t1(sign) else f"[U+{ord(sign):04X}]") for sign in signs)


def is_in_t1(sign: str) -> bool:
    return sign in MORE_OF_T1 or (ord(sign) <= LAST_OF_T1 and sign not in NOT_IN_T1)


def greek(sign: str) -> str:
    """A small letter as mathematics; empty where it is none that has a command."""
    name = unicodedata.name(sign, "").removeprefix("GREEK SMALL LETTER ").lower().replace("lamda", "lambda")
    return rf"$\{name}$" if name in GREEK else ""
