"""A scheme of one's own, begun with `poslab new`: outside the tree against an installation and a build tree, and inside it."""

import os
import shutil
import subprocess

from poslab_case import BUILD, SOURCE, PoslabCase


class NewScheme(PoslabCase):
    def cmake(self, *arguments):
        done = subprocess.run(["cmake", *map(str, arguments)], capture_output=True, text=True, cwd=self.scratch)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def ctest(self, folder):
        done = subprocess.run(["ctest", "--test-dir", folder, "--output-on-failure", "--no-tests=error"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def build_outside(self, name, prefix):
        folder = self.scratch / name / "build"
        self.cmake("-S", self.scratch / name, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_PREFIX_PATH={prefix}")
        self.cmake("--build", folder)
        self.assertIn("100% tests passed, 0 tests failed out of 2", self.ctest(folder))
        self.needs_numpy_alone(self.scratch / name / f"{name}_test.py", folder)
        return folder

    def needs_numpy_alone(self, test, plugins):
        """The generated test, in a Python that has NumPy and nothing else, then in one that has nothing."""
        packages = self.scratch / "packages"
        packages.mkdir(exist_ok=True)
        (packages / "numpy").unlink(missing_ok=True)
        environment = os.environ | {"PYTHONPATH": str(packages), "POSLAB_PLUGIN_PATH": str(plugins)}
        done = subprocess.run(["/usr/bin/python3", "-S", "-B", test], capture_output=True, text=True, env=environment)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"\A.* needs NumPy: apt install python3-numpy on Debian, or \S+ -m pip install numpy\n\Z")
        (packages / "numpy").symlink_to("/usr/lib/python3/dist-packages/numpy")
        done = subprocess.run(["/usr/bin/python3", "-S", "-B", test], capture_output=True, text=True, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_outside_against_an_installation(self):
        prefix = self.scratch / "prefix"
        self.cmake("--install", BUILD, "--prefix", prefix)
        installed = prefix / "bin/poslab"
        self.assertIn("sinusoidal", self.expect(0, "list", binary=installed))
        for family in ["additive", "rotary", "bias"]:
            name = f"my-{family}"
            self.expect(0, "new", "scheme", name, "--family", family, binary=installed)
            plugins = self.build_outside(name, prefix)
            study = self.study(f"""
format = 1
title = "mine beside one that ships"
[[scheme]]
use = "{name}"
[[scheme]]
use = "rope"
[[experiment]]
use = "uniqueness"
axes = {{ length = [16] }}
""")
            self.assertIn(name, self.expect(0, "run", study, "--plugins", plugins, "-o", f"{name}.h5", binary=installed))

    def test_outside_against_a_build_tree(self):
        self.expect(0, "new", "scheme", "my-scheme")
        self.build_outside("my-scheme", BUILD)

    def test_inside_the_tree(self):
        tree = self.scratch / "poslab"
        ignore = shutil.ignore_patterns("build", ".git", "runs", "__pycache__")
        shutil.copytree(SOURCE, tree, ignore=ignore)
        for folder in (tree / "plugins").iterdir():  # the house with one room only: quick to build
            if folder.is_dir():
                shutil.rmtree(folder)
        written = self.expect(0, "new", "scheme", "my-scheme", "--dir", tree / "plugins", "--family", "bias")
        self.assertIn("./dev build poslab poslab_scheme_my-scheme", written)
        self.assertEqual((tree / "plugins/my-scheme/CMakeLists.txt").read_text(), "poslab_add_scheme(my-scheme my-scheme.cpp)\n")
        build = self.scratch / "inside"
        self.cmake("-S", tree, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_COMPILER_LAUNCHER=" + os.environ.get("CMAKE_CXX_COMPILER_LAUNCHER", ""))
        self.cmake("--build", build, "--target", "poslab_scheme_my-scheme")
        self.assertIn("my-scheme", self.expect(0, "list", "--plugins", build / "plugins"))
        self.expect(0, "check", "my-scheme", "--plugins", build / "plugins")
        test = subprocess.run(["/usr/bin/python3", "-B", tree / "plugins/my-scheme/my-scheme_test.py"], capture_output=True, text=True,
                              env=os.environ | {"POSLAB_PLUGIN_PATH": str(build / "plugins")})
        self.assertEqual(test.returncode, 0, test.stderr)

    def test_the_readme_shows_what_is_written(self):
        said = self.expect(0, "new", "scheme", "log-distance", "--family", "bias")
        commands = [line.strip().replace("./", "").replace(str(BUILD), "$PWD/build/release") for line in said.splitlines() if line.startswith("  c")]
        self.assertEqual(len(commands), 2, said)
        for command in commands:
            self.assertIn(f"\n{command}\n", (SOURCE / "README.md").read_text())
        self.assertIn((self.scratch / "log-distance/log-distance.cpp").read_text(), (SOURCE / "README.md").read_text())

    def test_what_is_refused(self):
        self.assertIn("lower-case", self.expect(2, "new", "scheme", "My_Scheme"))
        self.assertIn('did you mean "rotary"', self.expect(2, "new", "scheme", "mine", "--family", "rotar"))
        (self.scratch / "file").touch()
        self.assertIn("is no directory", self.expect(2, "new", "scheme", "mine", "--dir", "file"))
        self.expect(2, "new", "scheme", "My_Scheme", "--dir", "none/made")
        self.assertFalse((self.scratch / "none").exists(), "a folder was made for what is refused")
        self.expect(0, "new", "scheme", "mine", "--dir", "not/yet/there")
        self.assertTrue((self.scratch / "not/yet/there/mine/mine.cpp").exists())
        self.expect(0, "new", "scheme", "mine")
        self.assertIn("is there already", self.expect(2, "new", "scheme", "mine"))
