# SPDX-License-Identifier: Apache-2.0
"""Texts of files, which anybody may have written, as other things show them: never as markup, never as commands."""

import re

# Control characters, line breaks, overrides and marks of direction, the byte order mark; bytes that were no UTF-8.
HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def printable(text: object) -> str:
    """A text of a file as a terminal may show it: what it would obey, line breaks among it, as escapes: `\\u202E`."""
    return HIDDEN.sub(lambda found: f"\\u{ord(found.group()):04X}", str(text))


def markdown(text: object) -> str:
    """A text of a file as Markdown shows it, whatever it holds: no markup, no HTML, one line."""
    return re.sub(r"[\\`*_\[\]<>#|~&$]", r"\\\g<0>", printable(text))


def latex(text: object) -> str:
    """A text of a file as LaTeX sets it, whatever it holds: no commands, one line."""
    signs = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return re.sub(r"[\\{}$&#%_^~]", lambda found: signs.get(found.group(), "\\" + found.group()), printable(text))


def plot_text(text: object) -> str:
    """A text of a file for a picture: matplotlib would set what is between two `$` as a formula."""
    return printable(text).replace("$", r"\$")
