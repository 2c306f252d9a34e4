# SPDX-License-Identifier: Apache-2.0
"""What the attributes of a variable say of it, in poslab's words. `units` and `long_name` are the CF conventions': a unit of UDUNITS, a
label."""

from collections.abc import Mapping
from typing import Any


def unit_of(attrs: Mapping[Any, Any]) -> str:
    """As tables show it, "pairs" or "sd"; "1" where there is none."""
    return str(attrs.get("unit_name", attrs.get("units", "1"))) or "1"


def sentence_of(attrs: Mapping[Any, Any]) -> str:
    """What the variable is; empty where nobody says."""
    return str(attrs.get("description", ""))
