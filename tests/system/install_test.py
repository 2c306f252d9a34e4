"""An installation is whole: a scheme is built against it, run, and its results read, with nothing of the tree at hand."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from poslab_case import BUILD, SOURCE, PoslabCase

PYTHON = ["/usr/bin/python3", "-B"]
STUDY = """
format = 1
title = "mine beside one that ships"
[[scheme]]
use = "mine"
[[scheme]]
use = "rope"
[[experiment]]
use = "uniqueness"
axes = { length = [16] }
"""
READ = """
import sys, poslab
assert poslab.__file__.startswith(sys.argv[1]), poslab.__file__
run = poslab.open(sys.argv[2])
print(run["uniqueness"].distinct.sel(scheme="mine").item(), len(run.index), run.complete)
"""


class Installation(PoslabCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="poslab-test-prefix-")
        cls.addClassCleanup(folder.cleanup)
        cls.prefix = Path(folder.name) / "a prefix"
        subprocess.run(["cmake", "--install", BUILD, "--prefix", cls.prefix], check=True, capture_output=True)

    def call(self, *words, **options):
        done = subprocess.run([*map(str, words)], capture_output=True, text=True, cwd=self.scratch, **options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def installed(self, *arguments):
        return self.expect(0, *arguments, binary=self.prefix / "bin/poslab")

    def test_a_scheme_is_built_run_and_read_outside_the_tree(self):
        self.installed("new", "scheme", "mine", "--family", "additive")
        build = self.scratch / "mine/build"
        self.call("cmake", "-S", "mine", "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.call("cmake", "--build", build)
        self.call("ctest", "--test-dir", build, "--output-on-failure", "--no-tests=error")
        self.installed("run", self.study(STUDY), "--plugins", build)
        results = self.scratch / "study.h5"
        package = self.prefix / "share/poslab/python"
        said = self.call(*PYTHON, "-c", READ, package, results, env={"PYTHONPATH": str(package)})
        self.assertEqual(said, "16.0 2 True\n")
        self.installed("report", results, "-o", "page.md")
        self.assertIn("mine beside one that ships", (self.scratch / "page.md").read_text())
        # As Python finds it by itself under /usr/local and ~/.local.
        places = list(self.prefix.glob("lib/python3*/*-packages"))
        self.assertEqual({place.name for place in places}, {"dist-packages", "site-packages"})
        for place in places:
            said = self.call(*PYTHON, "-c", f"import site; site.addsitedir({str(place)!r})\n{READ}", self.prefix, results)
            self.assertEqual(said, "16.0 2 True\n")

    def test_the_python_package_is_installed_by_pip_from_the_tree_and_from_an_installation(self):
        tree = self.scratch / "python"  # pip leaves files beside what it builds
        shutil.copytree(SOURCE / "results/python", tree, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
        self.assertIn(f"project(poslab VERSION {self.version(tree)} ", (SOURCE / "CMakeLists.txt").read_text())
        there = {file.relative_to(tree) for file in tree.glob("poslab/**/*.py")}
        for number, source in enumerate((tree, self.prefix / "share/poslab/python")):
            into = self.scratch / f"pip {number}"
            self.call(*PYTHON, "-m", "pip", "install", "--no-build-isolation", "--no-index", "--prefix", into, source)
            (package,) = into.glob("**/dist-packages/poslab")
            self.assertEqual({file.relative_to(package.parent) for file in package.glob("**/*.py")}, there)
            self.assertEqual((package / "report/viewer.html").read_bytes(), (tree / "poslab/report/viewer.html").read_bytes())
            self.call(*PYTHON, "-c", "from poslab import pictures, report", env={"PYTHONPATH": str(package.parent)})

    def version(self, package):
        return re.search(r'^version = "(.*)"$', (package / "pyproject.toml").read_text(), re.MULTILINE).group(1)

    def test_nothing_of_the_tree_is_named(self):
        texts = [file for file in self.prefix.rglob("*") if file.suffix in (".cmake", ".py", ".pth", ".ipynb", ".1", ".toml")]
        self.assertEqual([file for file in texts if str(SOURCE) in file.read_text()], [])

    def test_what_lies_where_the_manual_says(self):
        manual = (self.prefix / "share/man/man1/poslab.1").read_text()
        for place in ("lib/poslab/plugins", "share/poslab/studies", "share/poslab/pages", "share/poslab/python", "share/poslab/notebooks"):
            self.assertIn(f".B {place}\n", manual)
            self.assertTrue(any((self.prefix / place).iterdir()), place)
        self.assertTrue((self.prefix / "share/poslab/notebooks/quickstart.ipynb").exists())

    def test_each_shell_finds_its_completion(self):
        for place, name in (("bash-completion/completions/poslab", "poslab.bash"), ("zsh/site-functions/_poslab", "_poslab"),
                            ("fish/vendor_completions.d/poslab.fish", "poslab.fish")):
            self.assertEqual((self.prefix / "share" / place).read_text(), (SOURCE / "core/app/shell" / name).read_text())

    def test_pages_are_found_where_they_are_installed(self):
        said = self.installed("find", "rope")
        self.assertIn(f"cd '{self.prefix}/share/poslab' && less PAGE", said)
        self.assertRegex(said, r"(?m)^  pages/plugins/rope/rope\.md:\d+ ")
        pages = [page.relative_to(self.prefix / "share/poslab/pages") for page in self.prefix.glob("share/poslab/pages/**/*.md")]
        own = {page.relative_to(SOURCE) for page in SOURCE.glob("plugins/*/*.md") if page.parent.name != "gallery"}
        self.assertGreater(len(own), 30)
        self.assertEqual(own - set(pages), set())
        self.assertEqual([page for page in pages if not (SOURCE / page).is_file() or "templates" in page.parts], [])

    def test_the_first_hour_of_the_manual(self):
        manual = (self.prefix / "share/man/man1/poslab.1").read_text().replace("\\-", "-")
        commands = [line.split() for line in re.findall(r"^  poslab (.*)$", manual.partition(".nf\n")[2].partition(".fi\n")[0], re.MULTILINE)]
        self.assertGreater(len(commands), 5)
        for words in commands:
            words = [word.replace("STUDIES", str(self.prefix / "share/poslab/studies")) for word in words]
            if words[0] == "run" and "--plan" not in words:  # all of it takes longer
                words += ["--only", "none", "--only", "rope", "--only", "norm-preservation", "--axis", "length=16"]
            self.installed(*words)
        self.assertTrue((self.scratch / "quickstart.md").exists())

    @unittest.skipUnless(shutil.which("groff"), "there is no groff")
    def test_the_manual_is_one_that_man_shows_on_80_columns(self):
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-rLL=78n", "-P-cbou", self.prefix / "share/man/man1/poslab.1"],
                              capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")
        self.assertIn("poslab run quickstart.toml", done.stdout)
        said = self.installed("--help")
        commands = re.findall(r"^  (\w+)  +(.+)$", said, re.MULTILINE)
        self.assertGreater(len(commands), 9)
        for name, sentence in commands:
            self.assertIn(f"poslab {name}: {sentence}", done.stdout)
        text = [line for line in done.stdout.splitlines() if not line.lstrip().startswith("poslab ")]  # commands are not broken
        self.assertEqual([line for line in text if len(line) > 80], [])


class Uninstalled(PoslabCase):
    def install(self, prefix):
        """A build tree's manifest is that of its last installation, so this one's is kept for itself."""
        subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix], check=True, capture_output=True)
        return shutil.copy(BUILD / "install_manifest.txt", self.scratch / "manifest.txt")

    def uninstall(self, manifest, **variables):
        script = SOURCE / "core/cmake/Uninstall.cmake"
        return subprocess.run(["cmake", f"-DMANIFEST={manifest}", "-P", script], capture_output=True, text=True, env=os.environ | variables)

    def test_nothing_is_left_but_what_is_of_others(self):
        prefix = self.scratch / "a prefix"
        for theirs in ("bin/other", "share/poslab/studies/mine.toml"):
            (prefix / theirs).parent.mkdir(parents=True, exist_ok=True)
            (prefix / theirs).touch()
        before = sorted(prefix.rglob("*"))
        manifest = self.install(prefix)
        subprocess.run(["/usr/bin/python3", "-c", "import poslab.library"], env={"PYTHONPATH": str(prefix / "share/poslab/python")}, check=True)
        self.assertTrue(list(prefix.rglob("*.pyc")))
        done = self.uninstall(manifest)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(prefix.rglob("*")), before)
        done = self.uninstall(manifest)
        self.assertEqual(done.returncode, 1)
        self.assertIn("or it was uninstalled", " ".join(done.stderr.split()))

    def test_what_was_staged_is_taken_from_where_it_was_staged(self):
        stage = self.scratch / "stage"
        subprocess.run(["cmake", "--install", BUILD, "--prefix", "/usr"], env=os.environ | {"DESTDIR": str(stage)}, check=True, capture_output=True)
        manifest = shutil.copy(BUILD / "install_manifest.txt", self.scratch / "manifest.txt")
        self.assertTrue((stage / "usr/bin/poslab").is_file())
        self.assertEqual(self.uninstall(manifest, DESTDIR=str(stage)).returncode, 0)
        self.assertEqual(list((stage / "usr").iterdir()), [])

    def test_the_build_has_the_target(self):
        targets = subprocess.run(["ninja", "-C", BUILD, "-t", "query", "uninstall"], capture_output=True, text=True, check=True).stdout
        self.assertIn("CMakeFiles/uninstall", targets)


if __name__ == "__main__":
    unittest.main()
