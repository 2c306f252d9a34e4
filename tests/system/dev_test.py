# SPDX-License-Identifier: Apache-2.0
"""./dev in a tree of its own, with stand-ins for dpkg-query, apt-get, cmake and poslab that write down how they were called."""

import json
import os
import re
import shlex
import shutil
import stat
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ["POSLAB_SOURCE_DIR"])
BUILD = Path(os.environ["POSLAB_BUILD_DIR"])
# Answers for every package that it is asked about, but for those named in $MISSING.
DPKG_QUERY = """#!/bin/bash
for name in "$@"; do
  [[ $name == --* || " $MISSING " == *" $name "* ]] || printf ' installed:%s ' "$name"
done
"""
CMAKE = """#!/bin/bash
printf 'cmake %s\\n' "$*" >>"$LOG"
[[ $1 == --build ]] && printf '%s\\n' "${BUILD_SAYS-}"
for word in "$@"; do [[ $word == release ]] && mkdir -p build/release && touch build/release/build.ninja; done
exit "${CMAKE_CODE-0}"
"""
NOTED = """#!/bin/bash
printf '%s' "$(basename -- "$0")" >>"$LOG"; printf ' %q' "$@" >>"$LOG"; printf '\\n' >>"$LOG"
exit "${POSLAB_CODE-0}"
"""
# Says what apt says of a package, or why it does not.
APT = """#!/bin/bash
[[ " $* " == *" update "* ]] && echo 'dlstatus:1:16.0000:Retrieving file 1 of 3' && exit
[[ $APT_CODE == 0 ]] || { echo 'E: Unable to locate package libtbb-dev'; exit "$APT_CODE"; }
echo 'The following NEW packages will be installed:'
echo 'Need to get 120 MB of archives.'
printf 'dlstatus:%s\n' '1:3.5000:Retrieving file 1 of 9' '2:3.6:Retrieving file 2 of 9' '3:47:Retrieving file 3 of 9'
printf 'pmstatus:%s\n' 'dpkg-exec:0.0000:Running dpkg' 'libtbb-dev:0.5:Preparing libtbb-dev (amd64)'
echo 'Selecting previously unselected package libtbb-dev.'
printf 'pmstatus:%s\n' 'libc6:amd64:99.9:Installed libc6:amd64'
"""


class Dev(unittest.TestCase):
    def setUp(self):
        self.scratch = Path(tempfile.mkdtemp(prefix="poslab dev "))
        self.addCleanup(shutil.rmtree, self.scratch)
        self.tree, self.log = self.scratch / "a tree", self.scratch / "log"
        for folder in (self.scratch / "bin", self.tree / "build/release/bin"):
            folder.mkdir(parents=True)
        for name in ("dev", "CMakePresets.json"):
            shutil.copy(SOURCE / name, self.tree)
        self.system(ID="debian", VERSION_ID="12", PRETTY_NAME="Debian GNU/Linux 12 (bookworm)")
        self.program("bin/dpkg-query", DPKG_QUERY)
        self.program("bin/cmake", CMAKE)
        self.program("bin/apt-get", NOTED)
        self.program("a tree/build/release/bin/poslab", NOTED)

    def system(self, **lines):
        (self.scratch / "os-release").write_text("".join(f'{name}="{value}"\n' for name, value in lines.items()))

    def program(self, path, text):
        file = self.scratch / path
        file.write_text(text)
        file.chmod(file.stat().st_mode | stat.S_IXUSR)

    def dev(self, *arguments, **variables):
        """Exit code, what it said, and the calls it made since the last time."""
        self.log.write_text("")
        environment = {"PATH": f"{self.scratch / 'bin'}:/usr/bin:/bin", "LOG": str(self.log), "MISSING": "",
                       "POSLAB_OS_RELEASE": str(self.scratch / "os-release"), **variables}
        done = subprocess.run([self.tree / "dev", *arguments], cwd=self.scratch, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr, self.log.read_text().splitlines()

    def test_missing_packages_with_no_install_are_named_and_nothing_is_touched(self):
        code, said, calls = self.dev("--no-install", "test", MISSING="ninja-build python3-xarray")
        self.assertEqual(code, 4)
        self.assertIn("apt-get update && apt-get install -y --no-install-recommends ninja-build python3-xarray", said)
        self.assertEqual(calls, [])

    def test_run_does_not_need_what_only_tests_need(self):
        self.assertEqual(self.dev("--no-install", "run", "a.toml", MISSING="python3-xarray")[0], 0)

    @unittest.skipUnless(os.geteuid() == 0, "installs with sudo otherwise")
    def test_missing_packages_are_named_and_installed(self):
        code, said, calls = self.dev("build", MISSING="libtbb-dev")
        self.assertEqual(code, 0, said)
        self.assertIn("installing libtbb-dev", said)
        (call,) = [call for call in calls if "install" in call]
        self.assertTrue(call.startswith("apt-get -q -o DPkg::Lock::Timeout=300 ") and call.endswith(" install -y --no-install-recommends libtbb-dev"), call)

    @unittest.skipUnless(os.geteuid() == 0, "installs with sudo otherwise")
    def test_of_what_apt_says_it_is_told_where_it_is(self):
        self.program("bin/apt-get", APT)
        code, said, _ = self.dev("build", MISSING="libtbb-dev", APT_CODE="0")
        self.assertEqual(code, 0, said)
        told = [line for line in said.splitlines() if re.search("load|unpack|list", line)]
        self.assertEqual(told, ["dev: fetching the lists of packages: 16 %", "dev: fetching the lists of packages: 100 %",
                                "dev: to download: 120 MB of archives.", "dev: downloading: 3 %", "dev: downloading: 47 %", "dev: downloading: 100 %",
                                "dev: unpacking and setting up: 0 %", "dev: unpacking and setting up: 99 %", "dev: unpacking and setting up: 100 %"])
        self.assertNotIn("Selecting", said)
        self.assertIn("Selecting previously unselected package libtbb-dev.", (self.tree / "build/packages.log").read_text())

    @unittest.skipUnless(os.geteuid() == 0, "installs with sudo otherwise")
    def test_why_apt_failed_is_shown(self):
        self.program("bin/apt-get", APT)
        code, said, calls = self.dev("build", MISSING="libtbb-dev", APT_CODE="100")
        self.assertEqual((code, calls), (4, []))
        self.assertIn("E: Unable to locate package", said)
        self.assertIn("the installation failed", said)

    @unittest.skipUnless(os.geteuid() == 0, "installs with sudo otherwise")
    def test_run_installs_what_reads_results_where_it_may(self):
        reading = "python3-h5py python3-xarray python3-h5netcdf"
        self.assertEqual(self.dev("--no-install", "test", MISSING=reading)[0], 4)
        _, _, calls = self.dev("run", "a.toml", MISSING=reading)
        self.assertTrue(any(call.endswith(f"install -y --no-install-recommends {reading}") for call in calls), calls)
        code, said, calls = self.dev("--no-install", "run", "a.toml", MISSING=reading)
        self.assertEqual(code, 0, said)
        self.assertIn(f"going on without {reading}", said)
        self.assertTrue(any(call.startswith("poslab run") for call in calls), calls)
        self.system(ID="debian", VERSION_ID="13")
        self.assertEqual(self.dev("run", "a.toml", MISSING=reading)[0], 0)
        self.assertEqual(self.dev("run", "a.toml", MISSING=f"{reading} g++")[0], 4)

    def test_run_builds_the_schemes_of_its_study_and_after_it_the_rest(self):
        for scheme in ("rope", "normalised-index", "alibi"):
            (self.tree / "plugins" / scheme).mkdir(parents=True)
            (self.tree / "plugins" / scheme / "CMakeLists.txt").touch()
        (self.scratch / "a study.toml").write_text('[[scheme]]\nuse = "rope"\n[[scheme]]\nlayers = ["normalised-index", "rope"]\n')
        rest = "cmake --build release --target libposlab plugins/all"
        for arguments, schemes in ((["a study.toml"], "poslab_scheme_normalised-index poslab_scheme_rope"),
                                   (["a study.toml", "-o", "a.h5"], "poslab_scheme_normalised-index poslab_scheme_rope"),
                                   (["missing.toml"], "plugins/all"), (["--help"], "plugins/all")):
            calls = [call for call in self.dev("run", *arguments)[2] if not call.startswith("cmake --preset")]
            builds = [re.sub(r"build \S.*?/build/release --parallel \d+", "build release", call) for call in calls if call.startswith("cmake --build")]
            self.assertEqual(builds, [f"cmake --build release --target poslab {schemes}", rest])
            (run,) = [call for call in calls if call.startswith("poslab run")]
            self.assertLess(calls.index(run), len(calls) - 1)

    def test_a_run_tells_its_exit_code_and_what_is_built_after_it_does_not_change_that(self):
        for code, builds in ((0, 2), (1, 2), (3, 2), (2, 1), (4, 1), (130, 1)):
            done, said, calls = self.dev("run", "a.toml", POSLAB_CODE=str(code))
            self.assertEqual((done, sum(call.startswith("cmake --build") for call in calls)), (code, builds), said)

    def test_the_first_call_says_what_it_is_about_to_do_and_how_long_that_takes(self):
        for words, then in ((["run", "a.toml"], "then the study runs"), (["build"], "poslab and its tests are compiled"), (["test"], "then every test runs")):
            shutil.rmtree(self.tree / "build/release")
            (self.tree / "build/release/bin").mkdir(parents=True)
            self.program("a tree/build/release/bin/poslab", NOTED)
            self.program("bin/ctest", NOTED)
            first = self.dev(*words)[1].splitlines()[0]
            self.assertRegex(first, r"compiled \(about \d+ minutes? with \d+ jobs? on \d+ cores?\)")
            self.assertIn(then, first)
            self.assertNotIn("minute", self.dev(*words)[1])
        (self.tree / "build/release/build.ninja").unlink()
        self.assertNotIn("minute", self.dev("build", "poslab")[1])  # Ninja knows better, when all is configured
        first, fourth = (int(re.search(r"about (\d+)", self.cores(number)).group(1)) for number in (1, 4))
        self.assertGreater(first, 3 * fourth)

    def cores(self, number):
        """What the first call says where there are so many."""
        (self.tree / "build/release/build.ninja").unlink()
        self.program("bin/nproc", f"#!/bin/bash\necho {number}\n")
        self.program("bin/awk", "#!/bin/bash\necho 16\n")
        return self.dev("run", "a.toml")[1].splitlines()[0]

    def test_the_compiler_says_where_it_is(self):
        self.program("bin/cmake", CMAKE.replace("exit", "echo status: $NINJA_STATUS; exit"))
        self.assertIn("status: compiling %f of %t:", self.dev("build")[1])
        self.assertIn("status: mine", self.dev("build", NINJA_STATUS="mine")[1])

    def test_another_system_is_named_before_anything_is_installed(self):
        for name, lines in {"Debian GNU/Linux 13 (trixie)": {"ID": "debian", "VERSION_ID": "13"}, "Ubuntu 24.04": {"ID": "ubuntu", "VERSION_ID": "24.04"},
                            "Debian GNU/Linux sid": {"ID": "debian"}}.items():
            self.system(**lines, PRETTY_NAME=name)
            with self.subTest(name):
                code, said, calls = self.dev("build", MISSING="libtbb-dev")
                self.assertEqual((code, calls), (4, []), said)
                for words in (f"this is {name}", "Debian 12", "nothing was installed", "by these names: libtbb-dev\n", "oneTBB", "./dev --no-install build"):
                    self.assertIn(words, said)
                self.assertEqual(self.dev("build")[0], 0)  # all is there, by whatever release
                code, said, calls = self.dev("--no-install", "build", MISSING="libtbb-dev")
                self.assertEqual(code, 0, said)
                self.assertIn(f"this is {name}", said)
                self.assertTrue(all(call.startswith("cmake") for call in calls), calls)
        (self.scratch / "os-release").unlink()
        self.assertIn("an unknown system", self.dev("build", MISSING="libtbb-dev")[1])

    def test_a_system_without_dpkg_is_told_what_is_needed(self):
        self.system(ID="fedora", VERSION_ID="43", PRETTY_NAME="Fedora Linux 43")
        (self.scratch / "bin/dpkg-query").unlink()
        for tool in ("bash", "env", "dirname", "cat", "mkdir"):
            (self.scratch / "bin" / tool).symlink_to(f"/usr/bin/{tool}")
        code, said, calls = self.dev("build", PATH=str(self.scratch / "bin"))
        self.assertEqual((code, calls), (4, []))
        self.assertIn("this is Fedora Linux 43", said)
        self.assertIn("Random123", said)

    def test_what_is_needed_is_what_cmake_looks_for(self):
        needed = re.search(r'^needed="(.*?)"$', self.text("dev"), re.MULTILINE | re.DOTALL).group(1).lower()
        own_names = {"Eigen3": "eigen", "TBB": "onetbb", "nlohmann_json": "nlohmann-json", "tomlplusplus": "toml++", "SQLite3": "sqlite"}
        found = re.findall(r"^find_package\((\w+) ?([\d.]*)", self.text("CMakeLists.txt") + self.text("tests/CMakeLists.txt"), re.MULTILINE)
        self.assertGreater(len(found), 9)
        for name, version in found:
            if name != "Threads":  # of the compiler
                self.assertIn(f"{own_names.get(name, name).lower()} {version}".strip(), needed)
        self.assertIn("cmake " + re.search(r"VERSION (\S+)\)", self.text("CMakeLists.txt")).group(1), needed)

    def text(self, path):
        return (SOURCE / path).read_text()

    def test_configures_once_and_again_when_the_presets_change(self):
        self.assertIn("cmake --preset release", self.dev("build")[2])
        self.assertNotIn("cmake --preset release", self.dev("build")[2])
        os.utime(self.tree / "CMakePresets.json", (2e9, 2e9))
        self.assertIn("cmake --preset release", self.dev("build")[2])

    def test_results_lie_in_the_tree_unless_o_says_otherwise(self):
        into = str(self.tree / "results/runs/a.h5").replace(" ", "\\ ")
        self.assertIn(f"poslab run there/a.toml --threads 1 -o {into}", self.dev("run", "there/a.toml", "--threads", "1")[2])
        self.assertIn("poslab run a.toml -o b.h5", self.dev("run", "a.toml", "-o", "b.h5")[2])
        self.assertEqual(sum(call.startswith("poslab") for call in self.dev("run", "a.toml", "b.toml")[2]), 2)

    def test_the_exit_code_is_that_of_the_run(self):
        self.assertEqual(self.dev("run", "a.toml", POSLAB_CODE="3")[0], 3)

    def test_the_gallery_is_made_of_a_run_that_ended(self):
        code, said, calls = self.dev("gallery", POSLAB_CODE="2")
        study, results = (str(self.tree / name).replace(" ", "\\ ") for name in ("experiments/studies/all-schemes.toml", "results/runs/all-schemes.h5"))
        self.assertIn(f"poslab run {study} -o {results}", calls)
        self.assertEqual(code, 4)
        self.assertIn("ended with exit code 2", said)
        for run_code in ("0", "1", "3"):  # an expectation or a cell that failed is an answer, too
            self.assertIn("No module named", self.dev("gallery", POSLAB_CODE=run_code)[1])  # in this tree there is none
        self.assertFalse(any(call.startswith("poslab run") for call in self.dev("gallery", "mine.h5")[2]))

    def test_the_tables_of_the_pages_need_the_program_and_one_scheme(self):
        code, said, calls = self.dev("tables")
        self.assertTrue(any(call.startswith("cmake --build") and call.endswith("--target poslab poslab_scheme_none") for call in calls), calls)
        self.assertIn("No module named", said)  # in this tree there is none
        self.assertFalse(any(call.startswith("poslab ") for call in calls))

    def test_a_failed_build_runs_nothing(self):
        self.dev("build")
        code, said, calls = self.dev("run", "a.toml", CMAKE_CODE="1")
        self.assertEqual((code, [call for call in calls if call.startswith("poslab")]), (4, []))
        self.assertIn("the build failed", said)

    def test_no_warning_of_debians_compiler_passes_where_ci_builds(self):
        warning = "a.cpp:64:26: warning: declaration of 'path' shadows a parameter [-Wshadow]"
        in_german = "a.cpp:64:26: Warnung: Deklaration von »path« überdeckt einen Parameter [-Wshadow]"
        self.program("bin/newer", "#!/bin/bash\necho 14\n")
        self.program("bin/debians", "#!/bin/bash\necho 12\n")
        for says in (warning, in_german, "ld: warning: creating DT_TEXTREL"):
            with self.subTest(says):
                code, said, calls = self.dev("build", CI="true", CXX="debians", BUILD_SAYS=says)
                self.assertEqual(code, 4, said)
                self.assertIn("warnings", said)
                self.assertEqual(said.count(says), 2, "as the build says it, and at the end")
                self.assertEqual(self.dev("build", CI="true", CXX="newer", BUILD_SAYS=says)[0], 0)
                self.assertEqual(self.dev("build", CXX="debians", BUILD_SAYS=says)[0], 0)
        self.assertEqual(self.dev("build", CI="true", CXX="debians", BUILD_SAYS="[1/2] Building CXX object a.cpp.o")[0], 0)
        self.assertEqual(self.dev("build", CI="true", CXX="debians", CMAKE_CODE="1")[0], 4)

    def test_each_command_asks_for_its_own_packages(self):
        for arguments, package in ((("fuzz",), "libclang-rt-14-dev"), (("sanitize", "thread"), "dpkg-dev"), (("lint",), "mypy"), (("site",), "furo"),
                                   (("bare",), "debootstrap")):
            code, said, calls = self.dev("--no-install", *arguments, MISSING=package)
            self.assertEqual((code, calls), (4, []), said)
            self.assertIn(package, said)
            self.assertEqual(self.dev("--no-install", "build", MISSING=package)[0], 0)

    def test_lint_ends_at_what_mypy_finds_in_the_package_the_pictures_and_the_notebooks(self):
        self.program("bin/mypy", NOTED + "\n")
        (self.tree / "results/notebooks").mkdir(parents=True)
        cells = [{"cell_type": "markdown", "source": ["text"]}, {"cell_type": "code", "source": ["x = 1\n", "y = 2"]}]
        for name in ("quickstart", "league"):
            (self.tree / f"results/notebooks/{name}.ipynb").write_text(json.dumps({"cells": cells}))
        code, said, (call,) = self.dev("lint", "--since", "HEAD", POSLAB_CODE="1")
        self.assertEqual(code, 4, said)
        self.assertIn("mypy has found the above", said)
        looked_at = shlex.split(call)
        self.assertLessEqual({"results/python/poslab", "experiments/studies", "tests/peers", "build/mypy/quickstart_notebook.py",
                              "build/mypy/league_notebook.py"}, set(looked_at))
        self.assertEqual((self.tree / "build/mypy/league_notebook.py").read_text(), "x = 1\ny = 2\n")
        self.assertIn("strict = True", self.text("mypy.ini"))

    def sanitized(self, *arguments):
        """What is built, and which tests are run, of the whole where no target is named."""
        (self.tree / "tests/tsan").mkdir(parents=True, exist_ok=True)
        self.program("a tree/tests/tsan/tbb", "#!/bin/bash\n")
        self.program("bin/ctest", NOTED)
        for kind in ("asan", "tsan"):
            (self.tree / "build" / kind).mkdir(parents=True, exist_ok=True)
        code, said, calls = self.dev("sanitize", *arguments)
        self.assertEqual(code, 0, said)
        build, ctest = (shlex.split(next(call for call in calls if call.startswith(name))) for name in ("cmake --build", "ctest"))
        chosen = ctest[ctest.index("--parallel") + 2:]
        return set(build[build.index("--target") + 1:] if "--target" in build else ()), self.tests(*chosen)

    def test_sanitize_thread_runs_every_test_of_the_rooms_in_which_threads_meet(self):
        rooms = {"run", "workers", "journal", "host", "experiments", "process", "network", "training"}
        built, chosen = self.sanitized("thread")
        self.assertEqual({target for target in built if target.startswith("test_")}, {f"test_{room}" for room in rooms})
        for room in rooms:
            its = {test for test in self.tests() if test.startswith(f"{room}:")}
            self.assertGreater(len(its), 5, room)
            self.assertLessEqual(its, chosen)
        self.assertLessEqual({"system: threads_test", "system: workers_test"}, chosen)
        self.assertLess(len(chosen), len(self.tests()) / 2, "the rest takes long and adds no threads")

    def test_sanitize_takes_the_rooms_that_it_is_given(self):
        of_schemes = {test for test in self.tests() if test.startswith("check: ")}
        of_rooms = {test for test in self.tests() if test.startswith(("run:", "check:"))} - of_schemes
        for words in (["run", "check"], ["thread", "run", "check"]):
            built, chosen = self.sanitized(*words)
            self.assertEqual(built, {"plugins/all", "tests/faults/all", "test_run", "test_check"}, "they start no poslab")
            self.assertEqual(chosen, of_rooms)
        self.assertEqual(self.sanitized("data", "run", "sdk")[0], {"test_data", "test_run", "test_sdk"}, "their tests open no plugin")
        self.assertEqual(self.sanitized("network")[0], {"test_network", "plugins/all", "tests/schemes/all"})
        built, chosen = self.sanitized("checks")
        self.assertEqual(built, {"poslab", "plugins/all"})
        self.assertEqual(chosen, of_schemes)
        built, chosen = self.sanitized("system", "--exclude-regex", "dev_test")
        self.assertNotIn("test_system", built)
        self.assertEqual(chosen, {test for test in self.tests() if test.startswith("system:")} - {"system: dev_test"})
        self.assertEqual(self.sanitized("-R", "^run:"), (set(), {test for test in self.tests() if test.startswith("run:")}))

    def test_ci_draws_from_parts_that_together_have_every_room(self):
        parts = re.search(r"^deep=\((.*?)^\)", (SOURCE / ".ci/run").read_text(), re.MULTILINE | re.DOTALL).group(1)
        seen = {word for part in shlex.split(parts) if not part.startswith("sanitize thread")
                for word in part.split("--exclude-regex")[0].split()[1:]}
        rooms = {"checks" if test.startswith("check: ") else test.split(":")[0] for test in self.tests()}
        self.assertEqual(rooms - seen, {"abi", "estimates", "identify", "notebooks"}, ".ci/run says why these are not there")

    def tests(self, *arguments):
        """The names of the tests of this build that ctest would run."""
        listed = subprocess.run(["ctest", "--test-dir", BUILD, "--show-only=json-v1", *arguments], capture_output=True, text=True, check=True)
        return {test["name"] for test in json.loads(listed.stdout)["tests"]}

    def test_notebook_opens_where_there_is_a_display_and_says_what_it_lacks(self):
        results = self.scratch / "my results.h5"
        (self.tree / "results/notebooks").mkdir(parents=True)
        self.program("bin/jupyter-notebook", NOTED.replace('"$@"', '"$POSLAB_RESULTS" "$@"'))
        for name in ("quickstart", "mine"):
            (self.tree / f"results/notebooks/{name}.ipynb").touch()
        code, said, calls = self.dev("notebook", results, DISPLAY=":0")
        self.assertEqual((code, calls), (4, []))
        self.assertIn(f"there is no results file {results}; ./dev run STUDY.toml writes one", said)
        results.touch()
        self.assertIn("there is no notebook", self.dev("notebook", results, "gone.ipynb", DISPLAY=":0")[1])
        for package in ("jupyter-notebook", "python3-matplotlib"):
            self.assertIn(package, self.dev("--no-install", "notebook", results, DISPLAY=":0", MISSING=package)[1])
        code, said, (call,) = self.dev("notebook", results, DISPLAY=":0", MISSING="g++")  # which it does not need
        self.assertEqual(code, 0, said)
        self.assertEqual(shlex.split(call), ["jupyter-notebook", str(results), str(self.tree / "results/notebooks/quickstart.ipynb")])
        mine = self.tree / "results/notebooks/mine.ipynb"
        code, said, (call,) = self.dev("notebook", mine, results, DISPLAY=":0")
        self.assertEqual(shlex.split(call), ["jupyter-notebook", str(results), str(mine)])
        self.assertEqual(self.dev("notebook", "--colour", results)[0], 4)

    def test_the_package_for_debian_is_made_of_the_portable_build_and_tried_unless_told_not_to(self):
        self.program("bin/cpack", NOTED)
        (self.tree / "build/portable").mkdir()
        code, said, calls = self.dev("--no-install", "deb", "--untried", MISSING="lintian debootstrap")
        self.assertEqual(code, 0, said)
        self.assertEqual([call.split()[0] for call in calls], ["cmake", "cmake", "cpack"])
        self.assertIn("--preset portable", calls[0])
        self.assertIn("portable/CPackConfig.cmake", calls[2])
        self.assertIn("lintian", self.dev("--no-install", "deb", MISSING="lintian")[1])
        self.assertIn("bare_debian.py", self.dev("deb")[1])  # which is not in this tree
        self.assertEqual(self.dev("deb", "--tried")[0], 4)

    def test_an_unknown_command_is_refused(self):
        self.assertEqual(self.dev("biuld")[0], 4)
        for words in (["--help"], ["--since"], ["core"]):
            code, said, calls = self.dev("lint", *words)
            self.assertEqual((code, calls), (4, []), said)


if __name__ == "__main__":
    unittest.main()
