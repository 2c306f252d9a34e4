# SPDX-License-Identifier: Apache-2.0
"""What a section of a report is made of, whatever it is written as. Texts are plain: names of variants and tasks are a file's."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Paragraph:
    text: str
    is_strong: bool = False


@dataclass(frozen=True)
class Table:
    head: list[str]
    rows: list[list[str]]


@dataclass(frozen=True)
class Items:
    texts: list[str]


@dataclass(frozen=True)
class Picture:
    """Where the figure stands."""


Block = Paragraph | Table | Items | Picture
