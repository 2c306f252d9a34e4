# SPDX-License-Identifier: Apache-2.0
"""The process in which a scheme that is written in Python lives: `python3 serve.py FILE`, started by poslab, asked on its stdin.

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
    if importlib.util.find_spec("numpy") is None:
        sentence = f"{sys.executable} has no NumPy; POSLAB_PYTHON names the Python that runs schemes".encode()
        os.write(0, struct.pack("=iiQ", 3, 0, len(sentence)) + sentence)
        sys.exit(1)
    spec = importlib.util.spec_from_file_location("poslab", join(here, "__init__.py"), submodule_search_locations=[here])
    assert spec and spec.loader
    sys.modules["poslab"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules["poslab"])
    importlib.import_module("poslab.serve").main(sys.argv[1])
    sys.exit()

import io
import json
import math
import os
import signal
import struct
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from poslab.declaration import as_json, described
from poslab.instance import Call, Instance
from poslab.library import MEMBERS, OutOfRange, Refused
from poslab.scheme_file import SchemeFile, sentence_of

CREATE, DESTROY, CALL = 1, 2, 3
REQUEST = struct.Struct("=IIQ")            # kind, instance, bytes that follow
ANSWER = struct.Struct("=iiQ")             # status of plugin.h, whether addresses follow, bytes that follow
# operation, gradient, scalar, side, causal, arrays; length, train_length, first_query, layer; scale
HEAD = struct.Struct("=6i4qd")
ARRAY = struct.Struct("=4i4q")             # place in MEMBERS, index, rank, flags; shape
SENT, WRITTEN = 1, 2                       # flags of an array: its numbers follow; they are sent back
WEIGHTS, WEIGHT_GRADIENTS = MEMBERS.index("weights"), MEMBERS.index("weight_gradients")
POSITIONS = {MEMBERS.index(name) for name in ("positions", "query_positions", "key_positions")}
DTYPES: dict[int, np.dtype[Any]] = {1: np.dtype(np.float32), 2: np.dtype(np.float64)}
MAX_LAYOUTS = 1000
BY_ADDRESS = 1 << 8                        # in a request's kind: poslab may read our memory
INLINE = 1 << 16                           # bytes of an answer up to which they come themselves
FAILED, OUT_OF_MEMORY = 3, 4
STATUS = {Refused: 1, OutOfRange: 2, MemoryError: OUT_OF_MEMORY}


class Server:
    """One file, and its variants by the number that poslab gives them."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.connection = os.dup(0)  # what the file reads and prints goes nowhere near the frames
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
        self.reader = io.BufferedReader(io.FileIO(self.connection), 1 << 16)
        self.instances: dict[int, Instance] = {}
        self.layouts: dict[tuple[int, bytes], list[Any]] = {}  # calls of one form come by the thousand
        self.is_busy, self.is_copy, self.may_answer_by_address = True, False, False
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
            self.may_answer_by_address, kind = kind == BY_ADDRESS + CALL, kind % BY_ADDRESS
            body = np.empty(length, np.uint8)
            if self.reader.readinto(body.data) != length:
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
            self.file.refuse_late_imports()
            return 0, parts
        except BaseException as error:  # whatever it raises, SystemExit and KeyboardInterrupt too, is an answer
            status = next((status for kind, status in STATUS.items() if isinstance(error, kind)), FAILED)
            return status, [sentence_of(error, self.path).encode()]
        finally:
            self.is_busy = False
            if self.is_copy:  # a fork of the file's own has come to the end of its method
                os._exit(0)

    def answer(self, status_and_parts: tuple[int, list[Any]]) -> None:
        status, parts = status_and_parts
        if status == 0 and self.may_answer_by_address and sum(part.nbytes for part in parts) > INLINE:
            self.kept = parts  # until the next request: poslab reads them where they are, once instead of twice over a socket
            addresses = np.array([part.__array_interface__["data"][0] for part in parts], np.uint64)
            os.write(self.connection, ANSWER.pack(0, 1, addresses.nbytes) + addresses.tobytes())
            return
        views = [memoryview(part) if isinstance(part, bytes) else part.reshape(-1).view(np.uint8).data for part in parts]
        views.insert(0, memoryview(ANSWER.pack(status, 0, sum(map(len, views)))))
        while views:
            if not len(views[0]):
                views.pop(0)
                continue
            sent = os.writev(self.connection, views[:16])
            while views and sent >= len(views[0]):
                sent -= len(views.pop(0))
            if sent:
                views[0] = views[0][sent:]

    def load(self) -> list[Any]:
        np.seterr(all="ignore")  # a number that is none is found by poslab, which says where
        self.file = SchemeFile(self.path)
        self.kind: type[Instance] = Instance
        if self.file.definition.array == "torch":
            from poslab.autograd import TorchInstance
            self.kind = TorchInstance
        self.file.look_at_modules()
        sources = {"files": sorted(self.file.files), "versions": sorted(self.file.versions)}
        return [as_json({**described(self.file.definition), **sources})]

    def create(self, number: int, request: dict[str, Any]) -> bytes:
        instance = self.kind(self.file.definition, request["parameters"], request["model"])
        told = as_json(instance.described())
        self.instances[number] = instance
        return told

    def call(self, instance: Instance, body: Any) -> list[Any]:
        operation, gradient, scalar, side, causal, count, length, _, first_query, layer, scale = HEAD.unpack_from(body)
        end = HEAD.size + count * ARRAY.size
        key = scalar, body[HEAD.size:end].tobytes()
        layout = self.layouts.get(key) or self.layout_of(*key, end)
        call = Call(operation, DTYPES[scalar], side, causal != 0, length, layer, first_query, scale)
        for group, name, kind, extents, numbers, at, flags in layout:
            if flags & SENT:
                getattr(call, group)[name] = np.frombuffer(body, kind, numbers, at).reshape(extents)
            else:
                call.output_shape = extents
        (instance.gradient if gradient else instance.forward)(call)
        return [np.ascontiguousarray(getattr(call, group)[name], kind) for group, name, kind, _, _, _, flags in layout if flags & WRITTEN]

    def layout_of(self, scalar: int, heads: bytes, at: int) -> list[Any]:
        """Each array of a call: its dictionary of Call, its key there, type, extents, how many numbers, where they begin, flags."""
        layout = []
        for member, index, rank, flags, *shape in ARRAY.iter_unpack(heads):
            kind = DTYPES[2] if member in POSITIONS else DTYPES[scalar]
            numbers = math.prod(shape[:rank])
            group = {WEIGHTS: "weights", WEIGHT_GRADIENTS: "weight_gradients"}.get(member, "arrays")
            layout.append((group, MEMBERS[member] if group == "arrays" else index, kind, tuple(shape[:rank]), numbers, at, flags))
            if flags & SENT:
                at += (numbers * kind.itemsize + 7) // 8 * 8
        if len(self.layouts) > MAX_LAYOUTS:
            self.layouts.clear()
        return self.layouts.setdefault((scalar, heads), layout)


def end_with_parent(parent: int) -> None:
    """A method that never returns would never see that nobody asks any more."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)


def main(path: str) -> None:
    """Serves the file at `path` until poslab closes the connection."""
    Server(os.path.abspath(path)).serve()
    os._exit(0)  # threads that it has left hold nobody up
