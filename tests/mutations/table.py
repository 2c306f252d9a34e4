# SPDX-License-Identifier: Apache-2.0
"""The table of mutations.md: what is written of a fault stays until the fault is looked for again."""

import re

PLACES = {"golden": "golden case", "unit": "unit test", "check": "`poslab check`", "verify": "`poslab verify`"}
NOTHING, NOT_YET = "**nothing**", "not looked for yet"
BEGIN, END = "<!-- written by ./dev mutate --write -->\n", "<!-- end -->\n"


def cell(found, place):
    if place not in found:
        return ""
    names = found[place]
    if not names:
        return "–"
    first = re.sub(r"([|<*])", r"\\\1", names[0])
    return first + (f" and {len(names) - 1} more" if len(names) > 1 else "")


def row(fault, found):
    """found: {where: names}; None: it has not been looked for."""
    if found is None:
        cells = [NOT_YET] + [""] * (len(PLACES) - 1)
    elif not any(found.values()):
        cells = [NOTHING] + [""] * (len(PLACES) - 1)
    else:
        cells = [cell(found, place) for place in PLACES]
    return "| " + " | ".join([fault.name, fault.what.replace("|", "\\|"), *cells]) + " |"


def rows_of(page):
    """{name of a fault: its line}"""
    table = page[page.index(BEGIN) + len(BEGIN):page.index(END)]
    return {line.split("|")[1].strip(): line for line in re.findall(r"^\| [^|\n]+ \|.*$", table, re.MULTILINE)[1:]}


def renewed(page, faults, results):
    """The page with the rows of `results` ({name: found}) renewed: a row for each fault of the list, in its order."""
    rows = rows_of(page)
    for fault in faults:
        if fault.name in results or fault.name not in rows:
            rows[fault.name] = row(fault, results.get(fault.name))
    present = [rows[fault.name] for fault in faults]
    count = {word: sum(f"| {word} |" in line for line in present) for word in (NOTHING, NOT_YET)}
    sentence = f"{len(present)} faults: {len(present) - sum(count.values())} caught"
    said = zip(count.values(), ("caught by nothing", "not looked for yet"))
    sentence += "".join(f", {number} {words}" for number, words in said if number)
    head = ["| fault | what is wrong | " + " | ".join(PLACES.values()) + " |", "|---" * (2 + len(PLACES)) + "|"]
    table = "\n".join([f"{sentence}.", "", *head, *present, ""])
    return page[:page.index(BEGIN) + len(BEGIN)] + table + page[page.index(END):]
