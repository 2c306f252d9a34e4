# SPDX-License-Identifier: Apache-2.0
"""The site that ./dev site makes: every page of the repository is in it and can be reached, no link is broken, nothing comes from
another host, and its search knows the words."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from importlib.util import find_spec
from pathlib import Path
from unittest import mock

SOURCE = Path(os.environ["POSLAB_SOURCE_DIR"])
MAKE = SOURCE / "core/site/make_site.py"
MISSING = [name for name in ("sphinx", "myst_parser", "furo", "nbconvert") if not find_spec(name)]
# The pages that every site has.
WANTED = ("plugins/gallery/README.md", "experiments/experiments.md", "core/identify/identify.md", "results/page/page.md",
          "core/sdk/writing-a-scheme-in-python.md", "experiments/studies/published/published.md")
# What a page makes a browser load by itself, in HTML and in style sheets.
LOADED_ELSEWHERE = re.compile(r"""(?:<(?!a\b)[a-z]+\b[^>]*\b(?:src|srcset|href|data|poster)=["']?|url\(\s*["']?|@import\s+["'])(?:https?:)?//""",
                              re.IGNORECASE)


def make_site(source, folder):
    return subprocess.run([sys.executable, "-B", MAKE, "--source", source, "--work", folder / "work", "--output", folder / "site"],
                          capture_output=True, text=True)


def links_of(page):
    """The files that a page leads to."""
    for address in re.findall(r'<a\b[^>]*\bhref="([^"#?]+)', page.read_text()):
        if "://" not in address:
            yield (page.parent / address).resolve()


class SiteCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = Path(tempfile.mkdtemp(prefix="poslab-site-")).resolve()
        cls.addClassCleanup(shutil.rmtree, cls.scratch)


@unittest.skipIf(MISSING, f"this Python has no {', '.join(MISSING)}, of which the site is made (Debian 12: python3-sphinx "
                          "python3-myst-parser furo python3-nbconvert)")
class OfTheRepository(SiteCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.done = make_site(SOURCE, cls.scratch)
        cls.site = cls.scratch / "site"

    def test_it_is_made_and_no_link_is_broken(self):
        self.assertEqual(self.done.returncode, 0, self.done.stdout + self.done.stderr)

    def test_every_page_can_be_reached_from_the_first(self):
        reached, waiting = set(), [self.site / "index.html"]
        while waiting:
            page = waiting.pop()
            if page not in reached and page.suffix == ".html":
                reached.add(page)
                waiting += links_of(page)
        schemes = [folder.name for folder in (SOURCE / "plugins").iterdir() if (folder / f"{folder.name}.cpp").is_file()]
        experiments = [folder.name for folder in (SOURCE / "experiments").iterdir() if (folder / f"{folder.name}.cpp").is_file()]
        studies = [page.relative_to(SOURCE).with_suffix("") for page in (SOURCE / "experiments/studies").rglob("*.md")]
        self.assertGreater(min(len(schemes) // 40, len(experiments) // 20, len(studies) // 8), 0)
        wanted = [f"plugins/gallery/{name}" for name in schemes] + [f"plugins/{name}/{name}" for name in schemes]
        wanted += [f"experiments/{name}/{name}" for name in experiments] + [str(study) for study in studies]
        wanted += ["core/sdk/include/poslab/plugin.h", "results/notebooks/quickstart.ipynb", "command-line", "CHANGELOG", "viewer"]
        self.assertEqual([name for name in wanted if self.site / f"{name}.html" not in reached], [])

    def test_the_menu_of_a_page_opens_its_own_branch(self):
        def schemes_in_the_menu(page):
            menu = page.read_text().partition('<div class="sidebar-tree">')[2].partition("</aside>")[0]
            return sum(target.parent == self.site / "plugins/gallery" for target in set(re.findall(r'href="([^"#]+)', menu))
                       for target in [(page.parent / target).resolve()])
        self.assertEqual(schemes_in_the_menu(self.site / "LICENSE.html"), 1)
        self.assertGreater(schemes_in_the_menu(self.site / "plugins/gallery/alibi.html"), 40)

    def test_nothing_comes_from_another_host(self):
        files = [path for path in self.site.rglob("*") if path.suffix in (".html", ".css", ".svg")]
        self.assertGreater(len(files), 250)
        asked = [(str(path.relative_to(self.site)), found[0]) for path in files if (found := LOADED_ELSEWHERE.search(path.read_text()))]
        self.assertEqual(asked, [])

    def test_the_search_knows_words_and_where_they_stand(self):
        index = json.loads((self.site / "searchindex.js").read_text().removeprefix("Search.setIndex(").removesuffix(")"))
        for word, page in (("alibi", "plugins/gallery/alibi"), ("slurm", "core/run/many-machines"), ("fletcher32", "results/schema")):
            with self.subTest(word):
                found = [index[where].get(word, []) for where in ("terms", "titleterms")]
                numbers = {number for pages in found for number in (pages if isinstance(pages, list) else [pages])}
                self.assertIn(page, {index["docnames"][number] for number in numbers})

    @unittest.skipUnless(shutil.which("chromium"), "there is no chromium, in which the search would be tried")
    def test_the_search_works_from_the_disk(self):
        done = subprocess.run(["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.scratch}/browser",
                               "--enable-logging=stderr", "--virtual-time-budget=20000", "--dump-dom", f"file://{self.site}/search.html?q=alibi"],
                              capture_output=True, text=True)
        self.assertIn('href="plugins/gallery/alibi.html', done.stdout, done.stderr[-2000:])
        self.assertNotRegex(done.stderr, "CONSOLE.*(Error|Failed)")  # a script that does not run, a file that is not there


@unittest.skipUnless(find_spec("h5py") and find_spec("xarray"), "this Python has no h5py or no xarray, with which results files are read")
class WithTheProgram(SiteCase):
    def setUp(self):
        sys.path.insert(0, str(MAKE.parent))
        self.addCleanup(sys.path.remove, str(MAKE.parent))
        import program_pages
        self.made, self.program = program_pages, Path(os.environ["POSLAB_BINARY"])

    def test_its_command_line_has_every_command_with_its_options(self):
        page = self.made.command_line(self.program)
        commands = re.findall(r"^## poslab (\w+)$", page, re.MULTILINE)
        self.assertEqual(commands, re.findall(r"^  (\w+) ", page.partition("\n## ")[0], re.MULTILINE))
        self.assertLessEqual({"run", "check", "identify", "submit", "verify"}, set(commands))
        self.assertIn("--shard I/N", page)
        self.assertIn(self.made.NO_BUILD, self.made.command_line(None))

    def test_an_example_is_a_page_with_its_results_file(self):
        site = self.scratch / "with examples"
        site.mkdir()
        with mock.patch.dict(self.made.EXAMPLES, {"clock": "five cells"}, clear=True):
            self.made.make_viewers(SOURCE, self.scratch, site, self.program)
            self.assertIn('href="examples/clock.html"', self.made.results_files(self.program))
        empty, example = (site / "viewer.html").read_text(), (site / "examples/clock.html").read_text()
        self.assertNotIn('<script type="application/x-hdf5"', empty)
        self.assertIn('<script type="application/x-hdf5" data-name="clock.h5">', example)
        self.assertNotIn("examples/", self.made.results_files(None))


@unittest.skipIf(MISSING, "the generator is not there, as above")
class OfPagesWithFaults(SiteCase):
    def test_each_broken_link_is_named_with_its_line(self):
        tree = self.scratch / "tree"
        pages = {page: f"# {page}\n" for page in WANTED} | {
            "README.md": "# poslab\n\nWhat it is, [in short](core/page.md#a-place).\n\nMore [here](core/nowhere.md),\n"
                         "and [there](core/page.md#no-such-place).\n\n| a | b |\n|---|---|\n| 1 | [code](core/deep) |\n"
                         "| 2 | [code](core/lost.cpp) |\n\n![A picture](core/lost.png)\n",
            "core/page.md": "# A page\n\n## A place\n[code](deep/a.cpp), [home](../README.md)\n<a href=\"gone.html\">x</a>\n"
                            "<img src=\"//elsewhere.example/a.png\" alt=\"\">\n",
            "core/deep/a.cpp": "int a = 1;\n"}
        for name, text in pages.items():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).write_text(text)
        done = make_site(tree, self.scratch)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        said = [line.removeprefix("site: ") for line in done.stderr.splitlines() if line.startswith("site: ")]
        self.assertEqual(sorted(said), [
            "README.md:11: this link leads nowhere: core/lost.cpp",
            "README.md:13: this link leads nowhere: core/lost.png",
            "README.md:5: this link leads nowhere: core/nowhere.md",
            "README.md:6: this link leads nowhere: core/page.md#no-such-place",
            "core/page.md:5: this link leads nowhere: gone.html",
            "core/page.md:6: this is loaded from another host: //elsewhere.example/a.png"])


if __name__ == "__main__":
    unittest.main()
