# SPDX-License-Identifier: Apache-2.0
"""The program from Python: a study runs in processes of its own, and its results file is opened when it ends."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import warnings
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from poslab.library import HERE, require_processor
from poslab.program_file import environment, folders_of, no_program, program

if TYPE_CHECKING:
    from poslab.run_api import Run

Study = str | os.PathLike[str] | Mapping[str, Any]


def main() -> None:
    """The command `poslab` of the wheel: this process becomes the program, which is told which Python draws its reports."""
    require_processor()
    modules = os.pathsep.join([str(HERE.parent), *folders_of("PYTHONPATH")])
    path = program()
    os.execve(path, [path, *sys.argv[1:]], {**environment(), "PYTHONPATH": modules})


def run(study: Study, output: str | os.PathLike[str] | None = None, *, progress: bool = True, **options: Any) -> "Run":
    """Measures what a study asks for, and opens its results file. Run again, it goes on where it stopped.

    `study` is a file, or a mapping with the keys of one: {"format": 1, "title": ..., "model": {"d_model": 64, "heads": 4},
    "scheme": [{"use": "rope"}], "experiment": [{"use": "uniqueness", "axes": {"length": [64, 128]}}]}; then `output` is needed.
    `options` are those of `poslab run`, with `_` for `-`: only=["rope"], axis={"length": [64, 128]}, threads=2, fresh=True,
    weights="trained.h5", data={"text": "a.txt"}.

    Raises ValueError for a study or option that cannot be understood, RuntimeError where it could not run. A failed expectation, or
    cells that failed, are warnings: `.expectations` and `.failures` have them. Ctrl-C stops it, and what is done is kept.
    """
    with _as_file(study, output) as (path, written):
        with _bar(written, progress) as ended:
            code, said = _call(["run", str(path), "-o", str(written), *_words(options)])
            ended()
    if code in (1, 3) and written.exists():
        warnings.warn(said.strip().splitlines()[-1] if said.strip() else f"poslab run ended with exit code {code}", stacklevel=2)
    elif code:
        raise (ValueError if code == 2 else RuntimeError)(said.strip())
    from poslab.run_api import Run
    return Run(written)


def plan(study: Study, **options: Any) -> str:
    """What `run` would do: cells, memory, what is skipped and why; a text to print."""
    with _as_file(study, "plan.h5") as (path, _):
        return _said(["run", str(path), "--plan", *_words(options)])


@dataclass(frozen=True)
class Finding:
    """What one check of `poslab check` found. `result`: passed, failed, not performed."""

    plugin: str
    check: str
    result: str
    sentence: str
    warnings: tuple[str, ...]


def check(*plugins: str | os.PathLike[str], **options: Any) -> list[Finding]:
    """Tries to refute what plugins (files, or ids of schemes) promise; `options` are those of `poslab check`."""
    found = json.loads(_said(["check", *(os.fspath(plugin) for plugin in plugins), "--json", *_words(options)], accepted=(0, 1)))
    return [Finding(one["plugin"], each["check"], each["result"], each["sentence"], tuple(each["warnings"]))
            for one in found for each in one["checks"]]


def identify(dump: str | os.PathLike[str] | ArrayLike | Mapping[str, ArrayLike], *, kinds: str | Mapping[str, str] | None = None,
             **options: Any) -> dict[str, Any]:
    """What `poslab identify --json` says of a file, of an array, or of several by name: {"cos": ..., "sin": ...}.

    `kinds` is what `--as` says there, a word of Python's own: "frequencies" of the only array, or {"x": "before", "y": "after"}.
    """
    if isinstance(dump, str | os.PathLike):
        words = ["identify", os.fspath(dump), "--json", *_words({"as": kinds, **options})]
        answer: dict[str, Any] = json.loads(_said(words, accepted=(0, 1)))
        return answer
    with tempfile.TemporaryDirectory(prefix="poslab-") as folder:
        arrays = {name: np.asarray(array) for name, array in dump.items()} if isinstance(dump, Mapping) else {"array": np.asarray(dump)}
        path = Path(folder) / "dump.npz"
        with zipfile.ZipFile(path, "w") as archive:  # savez takes arrays as arguments, and has some of its own
            for name, array in arrays.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as part:
                    np.save(part, array, allow_pickle=False)
        return identify(path, kinds=kinds, **options)


def toml(value: Any) -> str:
    """A value as TOML writes it; tables stand on one line, lists of tables on a line for each."""
    value = value.tolist() if isinstance(value, np.ndarray | np.generic) else value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str | os.PathLike):
        return json.dumps(os.fspath(value), ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{toml(str(key))} = {toml(each)}" for key, each in value.items()) + " }"
    if isinstance(value, Sequence):
        between = ",\n  " if any(isinstance(each, Mapping) for each in value) else ", "
        return "[" + between.join(map(toml, value)) + "]"
    raise TypeError(f"a study cannot hold {value!r}: numbers, texts, true and false, lists and tables of them can be written")


def _from_here(scheme: Any) -> Any:
    """Names of Python files as whole paths: the study's own file lies elsewhere."""
    if isinstance(scheme, str | os.PathLike):
        return os.path.abspath(scheme) if os.fspath(scheme).endswith(".py") else scheme
    if isinstance(scheme, Mapping):
        return {key: _from_here(value) if key in ("use", "layers") else value for key, value in scheme.items()}
    return [_from_here(each) for each in scheme] if isinstance(scheme, Sequence) else scheme


@contextmanager
def _as_file(study: Study, output: str | os.PathLike[str] | None) -> Iterator[tuple[Path, Path]]:
    """The study's file and the results file."""
    if not isinstance(study, Mapping):
        path = Path(study)
        yield path, Path(output) if output is not None else Path(path.stem + ".h5")
        return
    if output is None:
        raise ValueError("a study that is a mapping needs the name of its results file: output=\"name.h5\"")
    with tempfile.TemporaryDirectory(prefix="poslab-") as folder:
        path = Path(folder) / (Path(output).stem + ".toml")
        text = "".join(f"{toml(str(key))} = {toml(_from_here(value) if key == 'scheme' else value)}\n" for key, value in study.items())
        path.write_text(text, encoding="utf-8")
        yield path, Path(output)


def _words(options: Mapping[str, Any]) -> list[str]:
    """axis={"length": [64, 128]} as --axis length=64,128; only=["a", "b"] as --only a --only b; fresh=True as --fresh."""
    words: list[str] = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if isinstance(value, bool):
            words += [option] if value else []
        elif isinstance(value, Mapping):
            for key, each in value.items():
                listed = each if isinstance(each, Sequence | np.ndarray) and not isinstance(each, str) else [each]
                words += [option, f"{key}={','.join(_word(one) for one in listed)}"]
        elif isinstance(value, Sequence) and not isinstance(value, str):
            for each in value:
                words += [option, _word(each)]
        elif value is not None:
            words += [option, _word(value)]
    return words


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _call(words: list[str]) -> tuple[int, str]:
    """The exit code, and what was said on stderr. Ctrl-C reaches the program once, and is raised when it has ended."""
    try:
        child = subprocess.Popen([program(), *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True,
                                 errors="replace", env=environment())
    except FileNotFoundError:
        no_program(program())
    interrupted = False
    while True:
        try:
            _, said = child.communicate()
            break
        except KeyboardInterrupt:
            interrupted = True
            child.send_signal(signal.SIGINT)
    if interrupted or child.returncode == 130:
        raise KeyboardInterrupt
    return child.returncode, said


def _said(words: list[str], accepted: tuple[int, ...] = (0,)) -> str:
    try:
        done = subprocess.run([program(), *words], capture_output=True, text=True, errors="replace", env=environment())
    except FileNotFoundError:
        no_program(program())
    if done.returncode not in accepted or not done.stdout:
        raise (ValueError if done.returncode == 2 else RuntimeError)(done.stderr.strip() or f"exit code {done.returncode}")
    return done.stdout


@contextmanager
def _bar(output: Path, wanted: bool) -> Iterator[Any]:
    """A progress bar of cells, where tqdm is installed; what is called in the end leaves it full or where it stopped."""
    if wanted:
        try:
            with warnings.catch_warnings():  # without ipywidgets it draws with letters, and says so each time
                warnings.simplefilter("ignore")
                from tqdm.auto import tqdm
        except ImportError:
            wanted = False
    if not wanted:
        yield lambda: None
        return
    over = threading.Event()
    with tqdm(unit="cell", desc=output.name, leave=True) as bar:
        def look() -> None:
            done = subprocess.run([program(), "status", "--json", str(output)], capture_output=True, text=True, env=environment())
            states = json.loads(done.stdout)["journals"] if done.returncode in (0, 3, 4) and done.stdout else []  # 3: some failed, 4: some are left
            for state in states[:1]:
                bar.total, bar.n = state["planned"], state["planned"] - state["left"]
                bar.refresh()

        def watch() -> None:
            while not over.wait(0.5):
                look()

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()

        def ended() -> None:
            over.set()
            watcher.join()
            look()

        try:
            yield ended
        finally:
            if not over.is_set():
                ended()
