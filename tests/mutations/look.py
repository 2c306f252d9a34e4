# SPDX-License-Identifier: Apache-2.0
"""Looking for a fault: golden cases, unit tests, `poslab check`, `poslab verify`. Each gives the names of what failed."""

import html
import os
import re
import signal
import subprocess
from pathlib import Path

from faults import study_file

LIMIT = 600  # seconds; a fault may make a program run for ever


class NothingLookedAt(Exception):
    """A filter that no test matches would catch nothing and never say so."""


def call(command, folder):
    """Exit code and output; a program that does not end is stopped with all that it started, and has the code None."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}  # the user's plugins are others
    with subprocess.Popen(list(map(str, command)), cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          start_new_session=True) as process:
        try:
            return process.communicate(timeout=LIMIT)[0], process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return process.communicate()[0], None


def named(found, code):
    if code == 0:
        return []
    return found or ["did not end" if code is None else f"ended with {code}"]


def failed_cases(report):
    """Names of the test cases of Catch2's XML that failed, or in which the program ended."""
    failed = []
    for case in report.split("<TestCase ")[1:]:
        results = re.findall(r'<OverallResult success="(\w+)"', case)
        if results[-1:] != ["true"]:
            failed.append(html.unescape(re.match(r'name="([^"]*)"', case).group(1)).strip())
    return failed


def look_at_golden_cases(build):
    """All but what identify says of them, which takes minutes and is no second opinion on a scheme."""
    report, code = call([build / "tests/test_golden", "-r", "xml", "~every golden case as a dump*"], build)
    differing = re.findall(r"^\s*(\S+/\S+) differs", html.unescape(report), re.MULTILINE)
    return named(list(dict.fromkeys(differing)) or failed_cases(report), code)


def look_at_unit_tests(build, rooms):
    failed = []
    for room, files in sorted(rooms.items()):
        these = ["-#", ",".join(f"[#{file}]" for file in sorted(files))] if files else []
        report, code = call([build / f"tests/test_{room}", "-r", "xml", *these], build)
        if code == 0 and "<TestCase " not in report:
            raise NothingLookedAt(f"test_{room} has no tests in {', '.join(sorted(files))}")
        failed += [f"{room}: {name}" for name in named(failed_cases(report), code)]
    return failed


def look_at_checks(build, schemes):
    failed = []
    for scheme in sorted(schemes):
        report, code = call([build / "bin/poslab", "check", build / f"plugins/{scheme}.so", "--time-limit", 120], build)
        failed += named(re.findall(r"^  FAIL +(\S+)", report, re.MULTILINE), code)
    return failed


def look_at_known_answers(build, studies):
    if not studies:
        return []
    files = [study_file(build.parent.parent, study) for study in sorted(studies)]
    report, code = call([build / "bin/poslab", "verify", *files], build)
    return named([" ".join(line.split()[:2]) for line in re.findall(r"^ +✗ (.*)$", report, re.MULTILINE)], code)


def look(build: Path, looks):
    """{where: names of what failed}, for every place that was looked at."""
    found = {}
    if looks.golden:
        found["golden"] = look_at_golden_cases(build)
    if looks.unit:
        found["unit"] = look_at_unit_tests(build, looks.unit)
    if looks.check:
        found["check"] = look_at_checks(build, looks.check)
    if looks.verify:
        found["verify"] = look_at_known_answers(build, looks.verify)
    return found
