# SPDX-License-Identifier: Apache-2.0
"""A report on paper: the table, its legend and the figure as pages of one PDF, all of it vectors and text."""

import textwrap
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure

from poslab import MARKS, plot_text
from poslab.report.page import Page

PAGE = (8.27, 11.69)  # A4, inches
LEFT, TOP, BOTTOM, LINE = 0.07, 0.95, 0.05, 0.0148  # of the page
Line = tuple[str, list[str]]  # of the table: its name and its cells
ROWS = 55  # of the table on a page


def write(path: Path, page: Page, study: str, figure: Figure | None) -> None:
    body = table(page)
    with PdfPages(path, metadata={"Title": plot_text(page.run.title), "CreationDate": None}) as pages:
        for first in range(0, len(body), ROWS):
            sheet = Sheet(pages)
            sheet.line(plot_text(page.run.title), size=13, weight="bold")
            sheet.line(plot_text(f"from the results of {study}"), size=8)
            sheet.skip()
            rows(sheet, page, body[first:first + ROWS])
            if first + ROWS >= len(body):
                sheet = legend(pages, sheet, page)
            sheet.close()
        if figure:
            pages.savefig(figure)  # on a sheet of its own size


class Sheet:
    def __init__(self, pages: PdfPages) -> None:
        self.pages, self.figure, self.y = pages, plt.figure(figsize=PAGE), TOP

    def line(self, text: str, x: float = LEFT, size: float = 8, **look: Any) -> None:
        self.figure.text(x, self.y, text, fontsize=size, va="top", **look)
        self.y -= LINE * max(1, size / 8)

    def skip(self) -> None:
        self.y -= LINE

    def close(self) -> None:
        self.pages.savefig(self.figure)
        plt.close(self.figure)


def table(page: Page) -> list[Line]:
    """For each variant its name and its cells, as texts."""
    lines = []
    for source, variant, sign in page.lines():
        name = plot_text(source.names[variant]) + (f" {sign}" if sign else "")
        lines.append((name, [cell(page, source.answer(variant, column["experiment"])) for column in page.columns]))
    return lines


def cell(page: Page, answer: Any) -> str:
    if answer is None:
        return ""
    return page.shown(answer, MARKS, plot_text)


def rows(sheet: Sheet, page: Page, lines: list[Line]) -> None:
    headings = [plot_text(column["heading"]) for column in page.columns]
    begins = columns_of(headings, lines)
    for texts, look in ((headings, {"weight": "bold"}), ([column["unit"] for column in page.columns], {"color": "0.4"})):
        for begin, text in zip(begins, texts):
            sheet.figure.text(begin, sheet.y, plot_text(text), fontsize=6.5, va="top", **look)
        sheet.y -= LINE
    for name, cells in lines:
        for begin, text in zip(begins, cells):
            sheet.figure.text(begin, sheet.y, text, fontsize=6, va="top")
        sheet.line(name, size=6)


def columns_of(headings: list[str], lines: list[Line]) -> list[float]:
    """Where each column begins: widths follow the longest text."""
    widths = [max(len(name) for name, _ in lines)]
    widths += [max(len(text) for text in texts) for texts in zip(headings, *(cells for _, cells in lines))]
    one = min((1 - 2 * LEFT) / (sum(widths) + 2 * len(widths)), 0.009)  # of the page's width, for a character
    return [LEFT + one * (sum(widths[:number]) + 2 * number) for number in range(1, len(widths))]


def legend(pages: PdfPages, sheet: Sheet, page: Page) -> Sheet:
    """Below the table, or on a sheet of its own; returns the sheet that it ends on."""
    lines = ["✓ yes   ✗ no   ~ in part   ? cannot tell from these repeats   means over repeats ± standard error"]
    for sign, meaning in page.signs().items():
        lines += textwrap.wrap(f"{sign} {meaning}", 125, subsequent_indent="    ")
    for column in page.columns:
        lines += textwrap.wrap(f"{column['heading']}: {column['legend']}", 125, subsequent_indent="    ")
    for reason, number in page.reasons.items():
        lines += textwrap.wrap(f"[{number}] {reason}", 125, subsequent_indent="    ")
    sheet.skip()
    for text in lines:
        if sheet.y < BOTTOM + LINE:
            sheet.close()
            sheet = Sheet(pages)
        sheet.line(plot_text(text), size=7)
    return sheet
