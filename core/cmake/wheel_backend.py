# SPDX-License-Identifier: Apache-2.0
"""Builds the wheel (PEP 517): the Python package with the program, libposlab.so, the plugins and every library that they need but
those of glibc, for any Python 3.11 and later on x86-64-v3 (AVX2). `./dev wheel`, or `pip install .` in a checkout."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/portable"
# What every Linux with this glibc or a later one has; the loader must be the system's own.
OF_GLIBC = re.compile(r"(ld-linux-x86-64|libc|libm|libdl|libpthread|librt|libresolv|libutil|libnss_\w+)\.so\.\d+")
PLATFORM = "manylinux_{}_{}_x86_64"
SETUP = """from setuptools import setup
from wheel.bdist_wheel import bdist_wheel

class Wheel(bdist_wheel):
    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", {platform!r}

setup(cmdclass={{"bdist_wheel": Wheel}})
"""


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None) -> str:
    compile_all()
    stage = staged()
    before = set(Path(wheel_directory).glob("*.whl"))
    subprocess.run([sys.executable, "setup.py", "--quiet", "bdist_wheel", "--dist-dir", os.path.abspath(wheel_directory)], cwd=stage, check=True)
    made = set(Path(wheel_directory).glob("*.whl"))
    return sorted(made - before or made, key=lambda path: path.stat().st_mtime)[-1].name


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    name = f"poslab-{version()}"
    path = Path(sdist_directory) / f"{name}.tar.gz"
    subprocess.run(["git", "-C", ROOT, "archive", "--format=tar.gz", f"--prefix={name}/", f"--output={path.resolve()}", "HEAD"], check=True)
    return path.name


def version() -> str:
    found = re.search(r"^project\(poslab VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)
    assert found
    return found.group(1)


def compile_all() -> None:
    subprocess.run(["cmake", "--preset", "portable"], cwd=ROOT, check=True, stdout=sys.stderr)
    subprocess.run(["cmake", "--build", BUILD], check=True, stdout=sys.stderr)


def staged() -> Path:
    stage = BUILD / "wheel"
    shutil.rmtree(stage, ignore_errors=True)
    package = stage / "poslab"
    no_caches = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "results/python/poslab", package, ignore=no_caches)
    for folder in ("bin", "lib", "plugins", "share/poslab"):
        (package / folder).mkdir(parents=True)
    stripped(BUILD / "bin/poslab", package / "bin/poslab")
    stripped(BUILD / "lib/libposlab.so", package / "lib/libposlab.so")
    for plugin in sorted((BUILD / "plugins").glob("*.so")):
        stripped(plugin, package / "plugins" / plugin.name)
    shutil.copytree(ROOT / "experiments/studies", package / "share/poslab/studies", ignore=no_caches)
    shutil.copytree(BUILD / "share/poslab/pages", package / "share/poslab/pages")
    (package / "lib/licences").mkdir()
    for library in needed(BUILD / "bin/poslab") | needed(BUILD / "lib/libposlab.so"):
        shutil.copy(library, package / "lib" / Path(library).name)  # the name that is asked for, whatever it leads to
        for name, text in licences(library):
            shutil.copy(text, package / "lib/licences" / name)
    declared = (ROOT / "pyproject.toml").read_text()
    (stage / "pyproject.toml").write_text(re.sub(r"(?s)\[build-system\].*?\n(?=\[)", "", declared))
    libc = os.confstr("CS_GNU_LIBC_VERSION") or "glibc 2.36"
    (stage / "setup.py").write_text(SETUP.format(platform=PLATFORM.format(*libc.split()[1].split("."))))
    shutil.copy(ROOT / "LICENSE", stage)
    return stage


def stripped(source: Path, target: Path) -> None:
    shutil.copy(source, target)
    subprocess.run(["strip", "--strip-unneeded", target], check=True)


def licences(library: str) -> list[tuple[str, Path]]:
    """Debian's texts on the package that a library is from, which go where it goes; none on a system without dpkg."""
    if not shutil.which("dpkg-query"):
        return []
    said = subprocess.run(["dpkg-query", "--search", f"*{library.removeprefix('/usr')}"], capture_output=True, text=True).stdout
    texts = {name: Path(f"/usr/share/doc/{name}/copyright") for name in re.findall(r"^([^:, ]+)", said, re.MULTILINE)}
    return [(name, text) for name, text in texts.items() if text.is_file()]


def needed(binary: Path) -> set[str]:
    """Every library that the loader brings in, however far down, but glibc's. One that it does not find would be missing in the wheel."""
    said = subprocess.run(["ldd", binary], capture_output=True, text=True, check=True).stdout
    if lost := re.findall(r"^\s*(\S+) => not found", said, re.MULTILINE):
        sys.exit(f"{binary} needs {', '.join(lost)}, which the loader does not find: LD_LIBRARY_PATH tells it where")
    found = re.findall(r"^\s*(\S+) => (/\S+)", said, re.MULTILINE)
    return {path for name, path in found if not OF_GLIBC.fullmatch(name)}
