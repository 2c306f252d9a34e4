# SPDX-License-Identifier: Apache-2.0
"""The process in which a scheme that is written in Python lives: `python3 serve.py FILE`, started by poslab, asked on its stdin, and
answering on its descriptor 3.

core/host/python/frames.md has the frames. It is started as a file, so that whichever Python runs it finds this very package.
"""

import sys

if __name__ == "__main__":
    import importlib.util
    import os
    import struct
    from os.path import abspath, dirname, join, realpath

    here = dirname(abspath(__file__))
    sys.path[:] = [folder for folder in sys.path if realpath(folder) != realpath(here)]  # its torch.py is not PyTorch

    def stop(sentence: str) -> None:
        sentence_ = f"{sentence}; POSLAB_PYTHON names the Python that runs schemes".encode()
        os.write(3, struct.pack("=iiQ", 3, 0, len(sentence_)) + sentence_)
        sys.exit(1)

    if sys.version_info < (3, 11):
        stop(f"{sys.executable} is Python {sys.version_info[0]}.{sys.version_info[1]}, and schemes want 3.11 or later")
    spec = importlib.util.spec_from_file_location("poslab", join(here, "__init__.py"), submodule_search_locations=[here])
    assert spec and spec.loader
    sys.modules["poslab"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules["poslab"])
    needed = importlib.import_module("poslab.needed")
    if lacks := needed.why_not("a scheme in Python", needed.SCHEMES):
        stop(lacks)
    importlib.import_module("poslab.serve").main(sys.argv[1])
    sys.exit()

import json
import math
import os
import select
import signal
import struct
import threading
import time
from collections.abc import Callable
from io import FileIO
from typing import Any

import numpy as np

from poslab import floating_point
from poslab.declaration import as_json, described
from poslab.imports import Imports, LateImport
from poslab.instance import Call, Form, Instance
from poslab.library import MEMBERS, SIDES, Array, OutOfRange, Refused
from poslab.scheme_file import SchemeFile, sentence_of

CREATE, DESTROY, CALL = 1, 2, 3
REQUEST = struct.Struct("=IIQQ")           # kind, instance, bytes of the form and of the numbers that follow
ANSWER = struct.Struct("=iiQ")             # status of plugin.h, ADDRESSES or LAST, bytes that follow
ADDRESSES, LAST = 1, 2                     # of an answer: addresses follow; ask another process next time
# operation, gradient, scalar, side, causal, arrays; length, train_length, first_query, layer; scale
HEAD = struct.Struct("=6i4qd")
ARRAY = struct.Struct("=4i4q")             # place in MEMBERS, index, rank, flags; shape
SENT, WRITTEN = 1, 2                       # flags of an array: its numbers follow; they are sent back
GROUPS = {MEMBERS.index("weights"): 1, MEMBERS.index("weight_gradients"): 2}  # of Call; others are in arrays
POSITIONS = {MEMBERS.index(name) for name in ("positions", "query_positions", "key_positions")}
DTYPES: dict[int, np.dtype[Any]] = {1: np.dtype(np.float32), 2: np.dtype(np.float64)}
MAX_FORMS = 1000
MAX_AWAKE = 200e-6                         # seconds, for a request
MAX_ASLEEP = 1000                          # requests that are waited for asleep once being awake was in vain
BY_ADDRESS = 1 << 8                        # in a request's kind: poslab may read our memory
INLINE = 1 << 16                           # bytes of an answer up to which they come themselves
MAX_PARTS = 16                             # of an answer that is sent at once
FAILED, OUT_OF_MEMORY = 3, 4
STATUS = {Refused: 1, OutOfRange: 2, MemoryError: OUT_OF_MEMORY}


class Server:
    """One file, and its variants by the number that poslab gives them."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.requests, self.answers = os.dup(0), 3  # what the file reads and prints goes nowhere near the frames
        os.set_inheritable(self.answers, False)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
        os.set_blocking(self.requests, False)
        self.source, self.front = FileIO(self.requests), np.empty(4096, np.uint8)  # the next request comes once this one is answered
        self.instances: dict[int, Instance] = {}
        self.forms: dict[tuple[int, bytes], tuple[Form, list[Any], list[Any]]] = {}  # calls of one form come by the thousand
        self.arrivals = select.poll()
        self.arrivals.register(self.requests, select.POLLIN)
        self.in_vain = self.asleep = 0
        self.is_busy, self.is_copy, self.may_answer_by_address = True, False, False
        self.imports: Imports | None = None  # of the file, once it has run
        self.is_spoilt = False               # by a late import: with what it computes from now on nobody knows
        signal.signal(signal.SIGINT, self.interrupted)
        os.register_at_fork(after_in_child=self.forked)
        threading.Thread(target=end_with_parent, args=(os.getppid(),), daemon=True).start()

    def interrupted(self, *_: Any) -> None:
        if self.is_busy:  # between two requests there is nothing to interrupt, and half a frame must not be lost
            raise KeyboardInterrupt

    def forked(self) -> None:
        self.is_copy = True
        os.close(self.answers)
        os.close(self.requests)

    def serve(self) -> None:
        self.answer(*self.guarded(self.load))
        works = {CREATE: self.create, DESTROY: self.destroy, CALL: self.call}
        while request := self.next_request():
            kind, number, form, numbers = request
            self.may_answer_by_address = kind == BY_ADDRESS + CALL
            self.answer(*self.guarded(works[kind % BY_ADDRESS], number, form, numbers))

    def next_request(self) -> tuple[int, int, bytes, Array] | None:
        """Kind, instance, form, and numbers in memory of their own; None: nobody asks any more."""
        come = self.awaited() - REQUEST.size
        if come < 0:
            return None
        kind, number, form_bytes, number_bytes = REQUEST.unpack_from(self.front.data)
        body = np.empty(form_bytes + number_bytes, np.uint8)
        body[:come] = self.front[REQUEST.size:REQUEST.size + come]
        while come < len(body):
            self.arrivals.poll()
            if not (more := self.source.readinto(body.data[come:])):
                return None
            come += more
        return kind, number, body[:form_bytes].tobytes(), body[form_bytes:]

    def awaited(self) -> int:
        """How many bytes of the next request have come to `front`, for which it waits awake at first, as poslab does for answers
        (connection.cpp); 0: none will come."""
        take, front, now = self.source.readinto, self.front.data, time.perf_counter
        if self.asleep:
            self.asleep -= 1
            taken = take(front)
        else:
            end = now() + MAX_AWAKE
            while (taken := take(front)) is None and now() < end:
                pass
            self.in_vain = self.asleep = min(2 * self.in_vain + 1, MAX_ASLEEP) if taken is None else 0
        while taken is None:
            self.arrivals.poll()
            taken = take(front)
        return taken

    def guarded(self, work: Callable[..., list[Any]], *arguments: Any) -> tuple[int, list[Any]]:
        """The status, and what is sent back: what `work` returns, or the sentence of what it raised."""
        self.is_busy = True
        try:
            parts = work(*arguments)
            if self.imports:
                self.imports.refuse_late()
            floating_point.require_usual()
            return 0, parts
        except BaseException as error:  # whatever it raises, SystemExit and KeyboardInterrupt too, is an answer
            floating_point.restore()
            self.is_spoilt = isinstance(error, LateImport) or bool(self.imports and self.imports.late())
            status = next((status for kind, status in STATUS.items() if isinstance(error, kind)), FAILED)
            return status, [as_array(sentence_of(error, self.path).encode())]
        finally:
            self.is_busy = False
            if self.is_copy:  # a fork of the file's own has come to the end of its method
                os._exit(0)

    def answer(self, status: int, parts: list[Any]) -> None:
        """Parts are arrays in C order, of bytes where they are a text."""
        how, size = LAST if self.is_spoilt else 0, sum([part.nbytes for part in parts])
        if status == 0 and self.may_answer_by_address and size > INLINE:
            self.kept = parts  # until the next call: poslab reads them where they are, once instead of twice through a pipe
            parts = [np.array([part.__array_interface__["data"][0] for part in parts], np.uint64)]
            how, size = ADDRESSES, parts[0].nbytes
        parts.insert(0, ANSWER.pack(status, how, size))
        sent = os.writev(self.answers, parts[:MAX_PARTS])
        if sent < ANSWER.size + size:  # the pipe holds no more
            rest = memoryview(b"".join(parts))[sent:]
            while len(rest):
                rest = rest[os.write(self.answers, rest):]

    def load(self) -> list[Any]:
        np.seterr(all="ignore")  # a number that is none is found by poslab, which says where
        self.file = SchemeFile(self.path)
        self.kind: type[Instance] = Instance
        if self.file.definition.array == "torch":
            from poslab.autograd import TorchInstance
            self.kind = TorchInstance
        self.imports = Imports(self.path, self.file.earlier)
        versions = sorted(f"{package} {version}" for package, version in self.imports.versions.items())
        sources = {"files": sorted(self.imports.files), "versions": versions}
        return [as_array(as_json({**described(self.file.definition), **sources}))]

    def create(self, number: int, form: bytes, _: Array) -> list[Any]:
        request = json.loads(form)
        instance = self.kind(self.file.definition, request["parameters"], request["model"])
        told = as_json(instance.described())
        self.instances[number] = instance
        return [as_array(told)]

    def destroy(self, number: int, _form: bytes, _numbers: Array) -> list[Any]:
        self.instances.pop(number, None)
        self.forms.clear()
        return []

    def call(self, number: int, form: bytes, numbers: Array) -> list[Any]:
        self.kept = []
        read, arrays_read, arrays_wanted = self.forms.get((number, form)) or self.read(number, form)
        groups: tuple[dict[Any, Array], ...] = ({}, {}, {})
        for group, name, kind, extents, at in arrays_read:
            groups[group][name] = np.ndarray(extents, kind, numbers, at)
        call, instance = Call(read, *groups), self.instances[number]
        (instance.gradient if read.is_gradient else instance.forward)(call)
        return [np.ascontiguousarray(groups[group][name], kind) for group, name, kind in arrays_wanted]

    def read(self, number: int, form: bytes) -> tuple[Form, list[Any], list[Any]]:
        """The form; of each array that is read the group of Call, its key there, type, extents and where it begins; of each that is
        wanted back the first three."""
        operation, gradient, scalar, side, causal, _, length, _, first_query, layer, scale = HEAD.unpack_from(form)
        at, read, wanted, output_shape = 0, [], [], tuple[int, ...]()
        for member, index, rank, flags, *shape in ARRAY.iter_unpack(form[HEAD.size:]):
            kind, extents = DTYPES[2 if member in POSITIONS else scalar], tuple(shape[:rank])
            group = GROUPS.get(member, 0)
            name = index if group else MEMBERS[member]
            if flags & SENT:
                read.append((group, name, kind, extents, at))
                at += (math.prod(extents) * kind.itemsize + 7) // 8 * 8
            else:
                output_shape = extents
            if flags & WRITTEN:
                wanted.append((group, name, kind))
        if len(self.forms) > MAX_FORMS:
            self.forms.clear()
        facts = {"length": length, "layer": layer, "causal": causal != 0, "side": SIDES[side], "scale": scale, "first_query": first_query}
        found = Form(operation, gradient != 0, DTYPES[scalar], side, scale, output_shape, {**self.instances[number].model, **facts, "weights": {}})
        return self.forms.setdefault((number, form), (found, read, wanted))


def as_array(text: bytes) -> Array:
    return np.frombuffer(text, np.uint8)


def end_with_parent(parent: int) -> None:
    """A method that never returns would never see that nobody asks any more."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)


def main(path: str) -> None:
    """Serves the file at `path` until poslab closes the connection."""
    Server(os.path.abspath(path)).serve()
    os._exit(0)  # threads that it has left hold nobody up
