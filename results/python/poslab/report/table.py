# SPDX-License-Identifier: Apache-2.0
"""The table of a report: a column for each experiment, with a verdict and its number for each scheme.

A verdict compares a number with the measure's own tolerance, which the results file carries too.
"""

import numpy as np

from poslab import markdown
from poslab.report.page import code, longest


def allowed(attributes, position=0, length=0):
    """What the measure's tolerance allows around 0."""
    return (attributes["tolerance_absolute"] + attributes["tolerance_per_position"] * position
            + attributes["tolerance_per_length"] * length)


def own_code(page, variant):
    rows, reason = page.rows("uniqueness", variant)
    if rows is None:
        return page.footnote(reason)
    rows = longest(rows, "uniqueness")
    length, distinct = rows.length.item(0), rows.distinct.to_numpy()
    if np.isnan(distinct).all():
        return "not measured"
    if (rows.collisions.to_numpy() > 0).any():
        return f"{distinct.min():.0f} of {markdown(length)} distinct"
    return f"yes, {np.nanmean(rows.min_distance):.3g}"


def relative(page, variant):
    rows, reason = page.rows("relative-shift", variant)
    if rows is None:
        return page.footnote(reason)
    length = rows.length.max().item()
    error = page.curve("relative-shift", "content_error", variant)
    spread = rows.toeplitz_residual_relative
    exact = bool((spread <= allowed(spread.attrs, length, length)).all())
    if error is None:
        return ("positions" if exact else "no") + f", {float(spread.max()):.1g}"
    error = error.dropna("shift")  # shifts that lead to where the scheme is not defined
    positions = length + error["shift"].to_numpy()
    kept = bool((error.to_numpy() <= allowed(error.attrs, positions, length)).all())
    return ("yes" if kept else "positions" if exact else "no") + f", {float(error.max()):.1g}"


def norms(page, variant):
    rows, reason = page.rows("norm-preservation", variant)
    if rows is None:
        return page.footnote(reason)
    length = rows.length.max().item()
    error = rows.isometry_error
    if bool((error <= allowed(error.attrs, length, length)).all()):
        return f"kept, {float(error.max()):.1g}"
    low, high = (page.curve("norm-preservation", name, variant) for name in ("ratio_min", "ratio_max"))
    if low is None or high is None:
        return "not measured"
    return f"{float(low.min()):.3g} to {float(high.max()):.3g}"


def beyond(page, variant):
    rows, reason = page.rows("extrapolation", variant)
    if rows is None:
        return page.footnote(reason)
    trained = rows.train_length.max().item()
    defined = page.curve("extrapolation", "defined", variant)
    if defined is None:
        return "not measured"
    undefined = defined.position.to_numpy()[defined.to_numpy() < 1]
    if undefined.size:
        return f"not defined at {undefined.min():.0f}"
    drift = page.curve("extrapolation", "logit_drift", variant)
    if drift is None or not drift[drift.position >= trained].notnull().any():
        return "defined"
    return f"{float(abs(drift[drift.position >= trained]).max()):.2g} sd"


def first(page, variant):
    rows, reason = page.rows("first-position-bias", variant)
    if rows is None:
        return page.footnote(reason)
    share, none = (page.curve("first-position-bias", name, variant) for name in ("context_share", "context_share_none"))
    if share is None or none is None:
        return "not measured"
    ratio = float(share[-1] / none[-1])
    return f"× {ratio:.3g}" if ratio > 1e-3 else f"× {ratio:.0e}"


COLUMNS = {"own code": own_code, "relative": relative, "norms": norms, "beyond": beyond, "first": first}
EXPERIMENTS = {"own code": "uniqueness", "relative": "relative-shift", "norms": "norm-preservation",
               "beyond": "extrapolation", "first": "first-position-bias"}


LEGEND = {
    "own code": "`uniqueness` at the greatest length: `yes` and the distance of the two nearest codes; else how many "
                "codes are distinct",
    "relative": "`relative-shift`: the largest change of a logit when all positions move, over the rms logit; `yes` "
                "if it is rounding, `positions` if only the part of position against position depends on the offset "
                "alone, or only that could be measured",
    "norms": "`norm-preservation`: `kept`, or the least and the greatest ratio of lengths after and before",
    "beyond": "`extrapolation` up to {last} times the trained length: where it stops being defined; else the largest "
              "drift of the mean logit, in standard deviations of those within the trained length",
    "first": "`first-position-bias`: share of position 0 in what the last position gathers after {last} layers, over "
             "that without positions",
}
INNER = {"beyond": "multiple_list", "first": "depth_list"}  # whose last value is {last}


def columns_of(run):
    """The columns of the table, by name: those whose experiment the study asks."""
    return {name: column for name, column in COLUMNS.items() if EXPERIMENTS[name] in run.experiments}


def table(page):
    columns = columns_of(page.run)
    lines = ["| scheme | " + " | ".join(columns) + " |", "|---" * (1 + len(columns)) + "|"]
    for variant in page.variants:
        cells = [column(page, variant) for column in columns.values()]
        lines.append(f"| {page.name(variant)} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def legend(page):
    lines = ["| column | verdict and number |", "|---|---|"]
    for name in columns_of(page.run):
        lists = page.run.rows(EXPERIMENTS[name])[INNER[name]].to_numpy() if name in INNER else []
        last = markdown(str(lists[0]).strip("[]").split(",")[-1].strip()) if len(lists) else "–"
        lines.append(f"| {name} | {LEGEND[name].format(last=last)} |")
    shown = [f"{code(name)} at {markdown(page.shown_at(name))}" for name in page.points if page.shown_at(name)]
    if shown:
        lines += ["", "The study varies more than length; each scheme is shown at the last of its points: "
                      f"{'; '.join(shown)}."]
    return "\n".join(lines)
