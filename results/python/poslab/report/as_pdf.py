# SPDX-License-Identifier: Apache-2.0
"""A report on paper: the table, its legend and the figure as pages of one PDF, all of it vectors and text."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure

from poslab.report import league_section
from poslab.report.block import Items, Paragraph, Picture, Table
from poslab.report.page import Page
from poslab.report.study import Study
from poslab.texts import plot_text

PAGE = (8.27, 11.69)  # A4, inches
LEFT, TOP, BOTTOM = 0.07, 0.95, 0.05  # of the page
LINE = 0.173  # inches
Line = tuple[str, list[str]]  # of the table: its name and its cells
ROWS = 55  # of the table on a page


def write(path: Path, page: Page, study: Study, figure: Figure | None, league_figure: Figure | None) -> None:
    body = table(page)
    with PdfPages(path, metadata={"Title": plot_text(page.run.title), "CreationDate": None}) as pages:
        for first in range(0, len(body), ROWS):
            sheet = Sheet(pages)
            sheet.line(plot_text(page.run.title), size=13, weight="bold")
            sheet.line(plot_text(f"from the results of {study.name} ({page.cells})"), size=8)
            sheet.skip()
            rows(sheet, page, body[first:first + ROWS])
            if first + ROWS >= len(body):
                sheet = legend(pages, sheet, page)
            sheet.close()
        for drawn in filter(None, (figure, league(pages, page) and league_figure)):
            pages.savefig(drawn)  # on a sheet of its own size


class Sheet:
    def __init__(self, pages: PdfPages, size: tuple[float, float] = PAGE) -> None:
        self.pages, self.figure, self.y = pages, plt.figure(figsize=size), TOP
        self.size, self.height = size, LINE / size[1]

    def line(self, text: str, x: float = LEFT, size: float = 8, **look: Any) -> None:
        self.figure.text(x, self.y, text, fontsize=size, va="top", **look)
        self.y -= self.height * max(1, size / 8)

    def row(self, begins: list[float], cells: list[str], **look: Any) -> None:
        """One line, whose cells begin there."""
        for begin, text in zip(begins, cells):
            self.figure.text(begin, self.y, text, va="top", **look)
        self.y -= self.height

    def skip(self) -> None:
        self.y -= self.height

    def close(self) -> None:
        self.pages.savefig(self.figure)
        plt.close(self.figure)

    def next_if_full(self) -> Sheet:
        if self.y >= BOTTOM + self.height:
            return self
        self.close()
        return Sheet(self.pages, self.size)


def table(page: Page) -> list[Line]:
    """For each variant its name and its cells, as texts."""
    lines = []
    for source, variant, sign in page.lines():
        name = plot_text(source.names[variant]) + (f" {sign}" if sign else "")
        lines.append((name, [page.shown(source.answer(variant, column["experiment"]), plot_text) for column in page.columns]))
    return lines


def rows(sheet: Sheet, page: Page, lines: list[Line]) -> None:
    headings = [plot_text(column["heading"]) for column in page.columns]
    begins = columns_of(headings, lines)
    sheet.row(begins[1:], headings, fontsize=6.5, weight="bold")
    sheet.row(begins[1:], [plot_text(column["unit"]) for column in page.columns], fontsize=6.5, color="0.4")
    for name, cells in lines:
        sheet.row(begins, [name, *cells], fontsize=6)


def columns_of(headings: list[str], lines: list[Line]) -> list[float]:
    """Where each column begins, that of the names first: widths follow the longest text."""
    widths = [max(len(name) for name, _ in lines)]
    widths += [max(len(text) for text in texts) for texts in zip(headings, *(cells for _, cells in lines))]
    one = min((1 - 2 * LEFT) / (sum(widths) + 2 * len(widths)), 0.009)  # of the page's width, for a character
    return [LEFT + one * (sum(widths[:number]) + 2 * number) for number in range(len(widths))]


def legend(pages: PdfPages, sheet: Sheet, page: Page) -> Sheet:
    """Below the table, or on a sheet of its own; returns the sheet that it ends on."""
    lines = ["   ".join(f"{sign} {meaning}" for sign, meaning in page.signs_of_cells().items())]
    for sign, meaning in page.signs_of_names().items():
        lines += textwrap.wrap(f"{sign} {meaning}", 125, subsequent_indent="    ")
    for column in page.columns:
        lines += textwrap.wrap(f"{column['heading']}: {column['legend']}", 125, subsequent_indent="    ")
    for reason, number in page.reasons.items():
        lines += textwrap.wrap(f"[{number}] {reason}", 125, subsequent_indent="    ")
    sheet.skip()
    for text in lines:
        sheet = sheet.next_if_full()
        sheet.line(plot_text(text), size=7)
    return sheet


def league(pages: PdfPages, page: Page) -> bool:
    """On sheets of its own, across; whether there is something to say."""
    blocks = page.of_networks()
    if not blocks:
        return False
    sheet = Sheet(pages, (PAGE[1], PAGE[0]))
    sheet.line(league_section.TITLE, size=13, weight="bold")
    for block in blocks:
        sheet.skip()
        match block:
            case Paragraph(text, is_strong):
                sheet = wrapped(sheet, text, weight="bold" if is_strong else "normal")
            case Items(texts):
                for text in texts:
                    sheet = wrapped(sheet, f"• {text}")
            case Table(head, lines):
                sheet = whole_table(sheet, list(map(plot_text, head)), [list(map(plot_text, cells)) for cells in lines])
            case Picture():
                pass  # after these sheets, on one of its own
    sheet.close()
    return True


def wrapped(sheet: Sheet, text: str, **look: Any) -> Sheet:
    for line in textwrap.wrap(plot_text(text), 185, subsequent_indent="  " if text.startswith("•") else ""):
        sheet = sheet.next_if_full()
        sheet.line(line, size=7, **look)
    return sheet


def whole_table(sheet: Sheet, head: list[str], lines: list[list[str]]) -> Sheet:
    """Its head again on every sheet."""
    begins = columns_of(head[1:], [(cells[0], cells[1:]) for cells in [head, *lines]])
    sheet.row(begins, head, fontsize=6, weight="bold")
    for cells in lines:
        following = sheet.next_if_full()
        if following is not sheet:
            sheet = following
            sheet.row(begins, head, fontsize=6, weight="bold")
        sheet.row(begins, cells, fontsize=6)
    return sheet
