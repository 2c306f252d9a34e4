# SPDX-License-Identifier: Apache-2.0
"""The process in which a scheme that is written in Python lives: `python3 serve.py FILE`, started by poslab, asked on its stdin.

core/host/python/python.md has the frames. It is started as a file, so that whichever Python runs it finds this very package.
"""

import sys

if __name__ == "__main__":
    import importlib.util
    import os
    import struct
    from os.path import abspath, dirname, join

    here = dirname(abspath(__file__))
    sys.path[:] = [folder for folder in sys.path if abspath(folder) != here]
    if importlib.util.find_spec("numpy") is None:
        sentence = f"{sys.executable} has no NumPy; POSLAB_PYTHON names the Python that runs schemes".encode()
        os.write(0, struct.pack("=iiQ", 3, 0, len(sentence)) + sentence)
        sys.exit(1)
    spec = importlib.util.spec_from_file_location("poslab", join(here, "__init__.py"), submodule_search_locations=[here])
    assert spec and spec.loader
    sys.modules["poslab"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules["poslab"])
    from poslab.serve import main

    main(sys.argv[1])
    sys.exit()

import json
import os
import signal
import struct
import sysconfig
import threading
import time
import traceback
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from poslab import declaration
from poslab.instance import Call, Instance
from poslab.library import ERRORS, HERE, MEMBERS, OutOfRange, Refused

CREATE, DESTROY, CALL = 1, 2, 3
REQUEST = struct.Struct("=IIQ")            # kind, instance, bytes that follow
ANSWER = struct.Struct("=iiQ")             # status of plugin.h, 0, bytes that follow
HEAD = struct.Struct("=6i4qd")             # operation, gradient, scalar, side, causal, arrays; length, train_length, first_query, layer; scale
ARRAY = struct.Struct("=4i4q")             # place in MEMBERS, index, rank, flags; shape
SENT, WRITTEN = 1, 2                       # flags of an array: its numbers follow; they are sent back
WEIGHTS, WEIGHT_GRADIENTS = MEMBERS.index("weights"), MEMBERS.index("weight_gradients")
POSITIONS = {MEMBERS.index(name) for name in ("positions", "query_positions", "key_positions")}
DTYPES = {1: np.dtype(np.float32), 2: np.dtype(np.float64)}
FAILED, OUT_OF_MEMORY = 3, 4
STATUS = {Refused: 1, OutOfRange: 2, MemoryError: OUT_OF_MEMORY}


class Server:
    """One file, and its variants by the number that poslab gives them."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.connection = os.dup(0)  # what the file reads and prints goes nowhere near the frames
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
        self.reader = os.fdopen(self.connection, "rb", 1 << 16)
        self.instances: dict[int, Instance] = {}
        self.is_busy, self.is_copy = True, False
        signal.signal(signal.SIGINT, self.interrupted)
        os.register_at_fork(after_in_child=self.forked)
        threading.Thread(target=end_with_parent, args=(os.getppid(),), daemon=True).start()

    def interrupted(self, *_: Any) -> None:
        if self.is_busy:  # between two requests there is nothing to interrupt, and half a frame must not be lost
            raise KeyboardInterrupt

    def forked(self) -> None:
        self.is_copy = True
        os.close(self.connection)

    def serve(self) -> None:
        self.answer(self.guarded(self.load))
        while head := self.reader.read(REQUEST.size):
            kind, instance, length = REQUEST.unpack(head)
            body = np.empty(length, np.uint8)
            if self.reader.readinto(memoryview(body)) != length:
                return
            self.answer(self.guarded(lambda: self.asked(kind, instance, body)))  # noqa: B023 called at once

    def asked(self, kind: int, instance: int, body: Any) -> list[Any]:
        if kind == CREATE:
            return [self.create(instance, json.loads(bytes(body)))]
        if kind == DESTROY:
            self.instances.pop(instance, None)
            return []
        return self.call(self.instances[instance], body)

    def guarded(self, work: Callable[[], list[Any]]) -> tuple[int, list[Any]]:
        """The status, and what is sent back: what `work` returns, or the sentence of what it raised."""
        self.is_busy = True
        try:
            parts = work()
            if len(sys.modules) != self.module_count and self.instances:
                self.refuse_late_imports()
            return 0, parts
        except BaseException as error:  # whatever it raises, SystemExit and KeyboardInterrupt too, is an answer
            return next((status for kind, status in STATUS.items() if isinstance(error, kind)), FAILED), [self.sentence(error).encode()]
        finally:
            self.is_busy = False
            if self.is_copy:  # a fork of the file's own has come to the end of its method
                os._exit(0)

    def answer(self, status_and_parts: tuple[int, list[Any]]) -> None:
        status, parts = status_and_parts
        views = [memoryview(part).cast("B") if isinstance(part, bytes) else memoryview(part.reshape(-1)).cast("B") for part in parts if len(part)]
        views.insert(0, memoryview(ANSWER.pack(status, 0, sum(map(len, views)))))
        while views:
            sent = os.writev(self.connection, views[:16])
            while views and sent >= len(views[0]):
                sent -= len(views.pop(0))
            if sent:
                views[0] = views[0][sent:]

    # ------------------------------------------------------------------------------------------------------ the file

    module_count = 0

    def load(self) -> list[Any]:
        sys.path.insert(0, os.path.dirname(self.path))
        module = types.ModuleType("poslab_scheme")
        module.__file__ = self.path
        sys.modules[module.__name__] = module
        with open(self.path, "rb") as file:
            exec(compile(file.read(), self.path, "exec"), vars(module))
        own = [each for each in declaration.defined if each.scheme.__module__ == module.__name__]
        if len(own) != 1:
            ids = ", ".join(each.card["id"] for each in own)
            raise declaration.Mistake(f"defines {len(own)} schemes ({ids}), and a file holds one" if own else
                                 "defines no scheme: @poslab.define(id=...) stands above a class")
        self.definition = own[0]
        self.kind: type[Instance] = Instance
        if self.definition.array == "torch":
            from poslab.autograd import TorchInstance
            self.kind = TorchInstance
        self.files, self.versions = brought_in(self.path)
        self.module_count = len(sys.modules)
        return [json.dumps({**declaration.described(self.definition), "files": sorted(self.files), "versions": sorted(self.versions)}).encode()]

    def refuse_late_imports(self) -> None:
        self.module_count = len(sys.modules)
        late = brought_in(self.path)[0] - self.files
        if late:
            names = ", ".join(sorted(os.path.basename(file) for file in late))
            raise declaration.Mistake(f"imports {names} only when it is asked something: import it at the top of the file, or results would not "
                                 "know with what they were computed")

    def sentence(self, error: BaseException) -> str:
        """"log_distance.py:12: ValueError: ..."; of a scheme's own refusal its words alone."""
        if isinstance(error, Refused | OutOfRange):
            return str(error)
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == self.path]
        if isinstance(error, SyntaxError) and error.filename == self.path:
            lines = [error.lineno]
        words = f"{type(error).__name__}: {error}"
        if isinstance(error, declaration.Mistake):
            words = str(error.args[0])
            lines = lines or [code.co_firstlineno for code in error.args[1:]]
        elif isinstance(error, ModuleNotFoundError):
            words = f"{error.msg}: {sys.executable} has no such module; POSLAB_PYTHON names the Python that runs schemes"
        elif isinstance(error, KeyboardInterrupt):
            words = "interrupted"
        return f"{os.path.basename(self.path)}{f':{lines[-1]}' if lines else ''}: {words}"

    # ------------------------------------------------------------------------------------------------------- requests

    def create(self, number: int, request: dict[str, Any]) -> bytes:
        instance = self.kind(self.definition, request["parameters"], request["model"])
        told = json.dumps(instance.described(), allow_nan=False).encode()
        self.instances[number] = instance
        return told

    def call(self, instance: Instance, body: Any) -> list[Any]:
        operation, gradient, scalar, side, causal, count, length, _, first_query, layer, scale = HEAD.unpack_from(body)
        dtype = DTYPES[scalar]
        call = Call(operation, dtype, side, bool(causal), length, layer, first_query, scale)
        at = HEAD.size + count * ARRAY.size
        written = []
        for member, index, rank, flags, *shape in ARRAY.iter_unpack(body[HEAD.size:at]):
            kind = DTYPES[2] if member in POSITIONS else dtype
            extents = shape[:rank]
            if flags & SENT:
                numbers = np.frombuffer(body, kind, int(np.prod(extents, dtype=np.int64)), at)
                array, at = numbers.reshape(extents), at + (numbers.nbytes + 7) // 8 * 8
            else:
                array = np.empty(extents, kind)
            if member == WEIGHTS:
                call.weights[index] = array
            elif member == WEIGHT_GRADIENTS:
                call.weight_gradients[index] = array
            else:
                call.arrays[MEMBERS[member]] = array
            if flags & WRITTEN:
                written.append(array)
        with np.errstate(all="ignore"):  # a number that is none is found by poslab, which says where
            (instance.gradient if gradient else instance.forward)(call)
        return written


def brought_in(path: str) -> tuple[set[str], set[str]]:
    """With what the file computes: the files of modules of its own, of this package among them, and "numpy 1.24.2" of those installed."""
    places = sysconfig.get_paths()
    installed = tuple(f"{places[name]}/" for name in ("purelib", "platlib"))
    own_of_python = tuple(f"{places[name]}/" for name in ("stdlib", "platstdlib"))
    files, versions = set(), {f"python {sys.version.split()[0]}"}
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if not isinstance(file, str) or file == path:
            continue
        if file.startswith(f"{HERE}{os.sep}"):
            files.add(file)
        elif file.startswith(installed) or "/site-packages/" in file or "/dist-packages/" in file:
            version = getattr(sys.modules.get(name.partition(".")[0]), "__version__", None)
            if version is not None:
                versions.add(f"{name.partition('.')[0]} {version}")
        elif not file.startswith(own_of_python) and Path(file).is_file():
            files.add(file)
    return files, versions


def end_with_parent(parent: int) -> None:
    """A method that never returns would never see that nobody asks any more."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)


def main(path: str) -> None:
    """Serves the file at `path` until poslab closes the connection."""
    Server(os.path.abspath(path)).serve()
    os._exit(0)  # threads that it has left hold nobody up
