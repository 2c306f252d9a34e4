# SPDX-License-Identifier: Apache-2.0
"""A report on paper: the table, its legend and the figure as pages of one PDF, all of it vectors and text."""

import textwrap

import matplotlib.pyplot as plt
from matplotlib.backends.backend_pdf import PdfPages

from poslab import plot_text
from poslab.report.page import MARKS, short

PAGE = (8.27, 11.69)  # A4, inches
LEFT, TOP, BOTTOM, LINE = 0.07, 0.95, 0.05, 0.0148  # of the page
ROWS = 55  # of the table on a page


def write(path, page, study, figure):
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
            figure.set_size_inches(*scaled(figure.get_size_inches()))
            pages.savefig(figure)


def scaled(size):
    """To the width of the page."""
    return size * min(1.0, PAGE[0] / size[0], PAGE[1] / size[1])


class Sheet:
    def __init__(self, pages):
        self.pages, self.figure, self.y = pages, plt.figure(figsize=PAGE), TOP

    def line(self, text, x=LEFT, size=8, **look):
        self.figure.text(x, self.y, text, fontsize=size, va="top", **look)
        self.y -= LINE * max(1, size / 8)

    def skip(self):
        self.y -= LINE

    def close(self):
        self.pages.savefig(self.figure)
        plt.close(self.figure)


def table(page):
    """For each variant its name and its cells, as texts."""
    lines = []
    for variant in page.variants:
        name = plot_text(short(variant)) + (" *" if variant in page.untrained else "")
        lines.append((name, [cell(page, variant, column["experiment"]) for column in page.columns]))
    return lines


def cell(page, variant, experiment):
    answer = page.answer(variant, experiment)
    if answer is None:
        return ""
    if answer.number == "–":
        return f"– [{page.footnote(answer.sentence)}]"
    return plot_text(f"{MARKS[answer.mark]} {answer.number}".strip())


def rows(sheet, page, lines):
    begin, width = 0.34, (0.97 - 0.34) / max(1, len(page.columns))
    for texts, look in (([column["heading"] for column in page.columns], {"weight": "bold"}),
                        ([column["unit"] for column in page.columns], {"color": "0.4"})):
        for number, text in enumerate(texts):
            sheet.figure.text(begin + number * width, sheet.y, plot_text(text), fontsize=7, va="top", **look)
        sheet.y -= LINE
    for name, cells in lines:
        for number, text in enumerate(cells):
            sheet.figure.text(begin + number * width, sheet.y, text, fontsize=6.5, va="top")
        sheet.line(name, size=6.5)


def legend(pages, sheet, page):
    """Below the table, or on a sheet of its own; returns the sheet that it ends on."""
    lines = ["✓ yes   ✗ no   ~ in part   ? cannot tell from these repeats   means over repeats ± standard error"]
    if page.untrained:
        lines.append("* untrained weights, as drawn at initialisation")
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
