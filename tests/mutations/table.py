# SPDX-License-Identifier: Apache-2.0
"""The table of mutations.md: what is written of a fault stays until the fault is looked for again."""

import re

PLACES = {"golden": "golden case", "unit": "unit test", "check": "`poslab check`", "verify": "`poslab verify`"}
BEGIN, END = "<!-- written by ./dev mutate --write -->\n", "<!-- end -->\n"


def cell(found, place):
    if place not in found:
        return ""
    names = found[place]
    if not names:
        return "–"
    first = names[0].replace("|", "\\|").replace("<", "\\<").replace("*", "\\*").replace("_", "\\_")
    return first + (f" and {len(names) - 1} more" if len(names) > 1 else "")


def row(fault, found):
    cells = [fault.name, fault.what, *(cell(found, place) for place in PLACES)]
    return "| " + " | ".join(cells) + " |"


def rows_of(page):
    """{name of a fault: its line}"""
    table = page[page.index(BEGIN) + len(BEGIN):page.index(END)]
    return {line.split("|")[1].strip(): line for line in re.findall(r"^\| [^|\n]+ \|.*$", table, re.MULTILINE)[1:]}


def renewed(page, faults, results):
    """The page with the rows of `results` ({name: found, or None}) renewed, in the list's order; only what was caught has one."""
    rows = {name: line for name, line in rows_of(page).items() if name not in results}
    rows |= {fault.name: row(fault, results[fault.name]) for fault in faults
             if results.get(fault.name) and any(results[fault.name].values())}
    present = [rows[fault.name] for fault in faults if fault.name in rows]
    head = ["| fault | what is wrong | " + " | ".join(PLACES.values()) + " |", "|---" * (2 + len(PLACES)) + "|"]
    table = "\n".join(["", *head, *present, ""])
    return page[:page.index(BEGIN) + len(BEGIN)] + f"{len(present)} faults, each caught.\n" + table + page[page.index(END):]
