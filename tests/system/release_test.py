# SPDX-License-Identifier: Apache-2.0
"""What a version is: one number wherever it stands, notes in the changelog, and a tag that has them."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from poslab_case import SOURCE, PoslabCase

PLACES = {  # file: the number there
    "CMakeLists.txt": r"^project\(poslab VERSION (\S+) ",
    "pyproject.toml": r'^version = "(.*)"$',
    "results/python/pyproject.toml": r'^version = "(.*)"$',
    "results/python/poslab/library.py": r'^VERSION = "(.*?)"',
    "core/package/spack/package.py": r'^    version\("(.*?)"\)$',
    "CITATION.cff": r"^version: (\S+)$"}
CHANGELOG = """# Changelog

## [Unreleased]
Nothing yet.

## [1.2.0] - 2027-01-02
### Added
- What is new in 1.2.0.

## [1.1.0] - 2026-12-01
- What was new before.
"""


def text(path):
    return (SOURCE / path).read_text()


class Release(unittest.TestCase):
    def test_the_version_is_the_same_wherever_it_stands(self):
        found = {path: re.findall(pattern, text(path), re.MULTILINE) for path, pattern in PLACES.items()}
        found[".zenodo.json"] = [json.loads(text(".zenodo.json"))["version"]]
        version = found["CMakeLists.txt"]
        self.assertRegex(" ".join(version), r"^\d+\.\d+\.\d+$")
        self.assertEqual({path: numbers for path, numbers in found.items() if numbers != version}, {})

    def test_a_version_that_is_released_has_its_section_and_its_day(self):
        version = re.search(PLACES["CMakeLists.txt"], text("CMakeLists.txt"), re.MULTILINE).group(1)
        days = dict(re.findall(r"^## \[([\d.]+)\] - (\d{4}-\d\d-\d\d)$", text("CHANGELOG.md"), re.MULTILINE))
        released = re.findall(r"^date-released: (\S+)$", text("CITATION.cff"), re.MULTILINE)
        self.assertIn("## [Unreleased]\n", text("CHANGELOG.md"))
        self.assertEqual(released, [days[version]] if version in days else [])

    def test_citation_and_zenodo_say_the_same(self):
        zenodo, citation = json.loads(text(".zenodo.json")), text("CITATION.cff")
        for creator in zenodo["creators"]:
            self.assertIn(f"- name: {creator['name']}\n", citation)
        self.assertIn(f"\nlicense: {zenodo['license']}\n", citation)
        self.assertEqual(re.findall(r"^  - (?!name)(.*)$", citation, re.MULTILINE), zenodo["keywords"])

    def test_the_readme_counts_the_schemes_that_ship(self):
        (count,) = re.findall(r"\[(\d+) ship\]\(plugins/gallery/README\.md\)", text("README.md"))
        self.assertEqual(int(count), len(list(SOURCE.glob("plugins/*/CMakeLists.txt"))))

    @unittest.skipUnless(shutil.which("git"), "there is no git")
    def test_the_tag_of_contributing_has_the_section_of_its_version(self):
        (line,) = re.findall(r"^awk .*git tag .*$", text("CONTRIBUTING.md"), re.MULTILINE)
        with tempfile.TemporaryDirectory(prefix="poslab-tag-") as folder:
            Path(folder, "CHANGELOG.md").write_text(CHANGELOG)
            who = ["-c", "user.name=Nobody", "-c", "user.email=nobody@poslab.invalid"]
            for words in (["init", "--quiet"], [*who, "commit", "--quiet", "--allow-empty", "--message=first"]):
                subprocess.run(["git", *words], cwd=folder, check=True)
            alone = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_COMMITTER_NAME": "Nobody", "GIT_COMMITTER_EMAIL": "nobody@poslab.invalid"}
            subprocess.run(["bash", "-c", f"set -o pipefail; {line.replace('X.Y.Z', '1.2.0')}"], cwd=folder, env=alone, check=True)
            said = subprocess.run(["git", "tag", "--list", "--format=%(contents)", "v1.2.0"], cwd=folder, check=True, capture_output=True, text=True)
        self.assertEqual(said.stdout.strip(), CHANGELOG[CHANGELOG.index("## [1.2.0]"):CHANGELOG.index("## [1.1.0]")].strip())


class Version(PoslabCase):
    def test_the_program_says_what_it_is(self):
        said = json.loads(self.expect(0, "--version", "--json"))
        (version,) = re.findall(PLACES["CMakeLists.txt"], text("CMakeLists.txt"), re.MULTILINE)
        self.assertEqual(said["version"], version)
        self.assertEqual(self.expect(0, "--version"), f"poslab {version} ({said['commit']})\n")
        boundary = re.findall(r"^#define POSLAB_(?:MAJOR|MINOR) (\d+)", text("core/sdk/include/poslab/plugin.h"), re.MULTILINE)
        self.assertEqual(said["plugin_boundary"], ".".join(boundary))
        schema = re.findall(r"schema_(?:version|minor) = (\d+);", text("results/include/poslab/results/writer.hpp"))
        self.assertEqual(said["results_schema"], ".".join(schema))
        flags = re.findall(r"-march=(\S+)", said["compile_flags"])
        self.assertEqual([said["arch"]], flags or ["the compiler's default"])
        self.assertLessEqual({"boost", "eigen", "fmt", "hdf5", "onetbb"}, set(said["libraries"]))
        self.assertIn("g++", said["compiler"])

    def test_other_words_behind_it_are_refused(self):
        self.assertIn('--version takes --json or nothing, and not "jso"', self.expect(2, "--version", "jso"))


if __name__ == "__main__":
    unittest.main()
