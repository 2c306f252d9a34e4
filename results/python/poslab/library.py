# SPDX-License-Identifier: Apache-2.0
"""libposlab.so through ctypes: the structures and functions of poslab/library.h and poslab/plugin.h, and nothing else of them."""

import ctypes
import math
import os
import struct
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

VERSION = "0.1.0"  # of the package, which must be that of the library
HERE = Path(os.path.abspath(__file__)).parent
# Beside the package in a wheel; in an installation, whose Python lies in share/poslab/python; in a checkout that is built.
PLACES = [HERE, *(Path(os.path.normpath(HERE / way)) for way in ("../../../..", "../../../build/release"))]


class Refused(ValueError):
    """A configuration that a scheme cannot serve; the plugin's own sentence."""


class OutOfRange(ValueError):
    """A position that a scheme cannot serve; names it and the limit."""


class Failed(RuntimeError):
    """A plugin that fails, or breaks a rule of the boundary; numbers that are none."""


ERRORS: dict[int, type[Exception]] = {1: Refused, 2: OutOfRange, 3: Failed, 4: MemoryError, 5: ValueError}
OPERATIONS = ("encode", "transform", "bias", "score", "mix")
SIDES = ("query", "key", "value", "output")
POINTER = ctypes.sizeof(ctypes.c_void_p)
ONES = tuple((1,) * (4 - rank) for rank in range(5))
SCALARS = {np.dtype(np.float32): 1, np.dtype(np.float64): 2}


# poslab_view and poslab_call of plugin.h, packed by hand: ctypes takes 3 us to make a structure of numbers, and this 0.5.
VIEW = struct.Struct("@Pii4q")
MEMBERS = ("positions", "query_positions", "key_positions", "weights", "weight_count", "layer_input", "query", "key", "attention", "output",
           "output_gradient", "layer_input_gradient", "query_gradient", "key_gradient", "attention_gradient", "weight_gradients", "value",
           "mixed")  # as core/host/include/poslab/host/call_members.hpp has them; a test compares
CALL = struct.Struct("@Iiiiqqdqq" + "".join("q" if name == "weight_count" else "P" for name in MEMBERS))
PLACE = {name: place for place, name in enumerate(MEMBERS)}


ALIGNMENT = 64  # bytes; what lies otherwise, the host copies for a plugin
_byte_of: Any = ctypes.c_char.from_buffer


def address_of(array: Array) -> int:
    """Where the first number of an array in C order is."""
    try:
        return ctypes.addressof(_byte_of(array))  # four times as fast as what NumPy offers
    except (TypeError, ValueError):  # it may not be written, or is empty
        return int(array.__array_interface__["data"][0])


def empty(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """An array for a plugin to fill; a large one, which would take long to copy, is aligned."""
    size = math.prod(shape) * dtype.itemsize
    if size < 1 << 14:
        return np.empty(shape, dtype)
    room = np.empty(size + ALIGNMENT, np.uint8)
    first = -address_of(room) % ALIGNMENT
    return room[first:first + size].view(dtype).reshape(shape)


class Error(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int32), ("text", ctypes.c_char * 1020)]


class CallBuffer:
    """Where a thread lays out its call: the call, its views, and two lists of pointers to views."""

    def __init__(self) -> None:
        self.error = Error()
        self.grow(16)

    def grow(self, weights: int) -> None:
        self.max_weights, self.taken = weights, 0
        self.buffer = ctypes.create_string_buffer(CALL.size + len(MEMBERS) * VIEW.size + 2 * weights * (VIEW.size + POINTER))
        self.address = ctypes.addressof(self.buffer)

    def lay_out(self, numbers: tuple[Any, ...], arrays: Mapping[str, Array | None], weights: Sequence[Array],
                gradients: Sequence[Array | None]) -> int:
        """The address of a call. Arrays are in C order, float32 or float64."""
        slots, self.taken = [0] * len(MEMBERS), CALL.size
        if len(weights) > self.max_weights:
            self.grow(len(weights))
        for name, array in arrays.items():
            if array is not None:
                slots[PLACE[name]] = self.view(array)
        if weights:
            slots[PLACE["weights"]], slots[PLACE["weight_count"]] = self.pointers(weights), len(weights)
        if gradients:
            slots[PLACE["weight_gradients"]] = self.pointers(gradients)
        CALL.pack_into(self.buffer, 0, CALL.size, *numbers, *slots)
        return self.address

    def view(self, array: Array) -> int:
        here, shape = self.taken, array.shape
        if len(shape) > len(ONES) - 1:
            raise ValueError(f"an array has up to {len(ONES) - 1} dimensions here, not {len(shape)}")
        self.taken = here + VIEW.size
        VIEW.pack_into(self.buffer, here, address_of(array), array.itemsize // 4, len(shape), *shape, *ONES[len(shape)])
        return self.address + here

    def pointers(self, arrays: Sequence[Array | None]) -> int:
        addresses = [0 if array is None else self.view(array) for array in arrays]
        here = self.taken
        self.taken = here + len(addresses) * POINTER
        struct.pack_into(f"@{len(addresses)}P", self.buffer, here, *addresses)
        return self.address + here


class CallBuffers(threading.local):
    """One for each thread. Only this is looked up by the thread, as that takes three times as long as a usual member."""

    def __init__(self) -> None:
        self.own = CallBuffer()


class Library:
    """The functions, with errors as exceptions. Raises ImportError if there is none, or one of another version."""

    def __init__(self, path: Path) -> None:
        self.path, self.calls = path, CallBuffers()
        self.functions = ctypes.CDLL(str(path))
        self.functions.poslab_version.restype = ctypes.c_char_p
        self.functions.poslab_close.argtypes = [ctypes.c_void_p]
        self.functions.poslab_close.restype = None
        self.functions.poslab_release.argtypes = [ctypes.c_void_p]
        self.functions.poslab_release.restype = None
        version = self.functions.poslab_version().decode()
        if version != VERSION:
            raise ImportError(f"{path} is of poslab {version}, and this package is of {VERSION}: install both of one version")

    def ask(self, name: str, *arguments: Any) -> None:
        if forked:
            raise RuntimeError("this process was forked from one that had opened libposlab.so, whose threads it does not have: "
                               "start it anew (multiprocessing: the start method \"spawn\"; PyTorch's DataLoader: "
                               "multiprocessing_context=\"spawn\")")
        error = self.calls.own.error
        status = getattr(self.functions, name)(*arguments, ctypes.byref(error))
        if status:
            raise ERRORS.get(status, Failed)(error.text.decode(errors="replace"))

    def call(self, name: str, *arguments: Any, weights: Sequence[Array], arrays: Mapping[str, Array | None], dtype: np.dtype[Any],
             gradients: Sequence[Array | None] = (), side: int = 0, causal: bool = False, length: int = 0,
             scale: float = 0.0, first_query: int = 0, layer: int = 0) -> None:
        """A function that takes a poslab_call: `arrays` by the names of its members, `gradients` by the weights. All in C order."""
        numbers = (SCALARS[dtype], side, causal, length, 0, scale, first_query, layer)
        self.ask(name, *arguments, ctypes.c_void_p(self.calls.own.lay_out(numbers, arrays, weights, gradients)))

    def text(self, name: str, *arguments: Any) -> str:
        """What a function puts where its last argument but `error` points."""
        text = ctypes.c_void_p()
        self.ask(name, *arguments, ctypes.byref(text))
        try:
            return ctypes.string_at(text.value or 0).decode()
        finally:
            self.functions.poslab_release(text)


def require_processor() -> None:
    """The wheel's machine code is for x86-64-v3; a checkout's is for the machine that built it."""
    if not (HERE / "bin/poslab").is_file():
        return
    flags = set(Path("/proc/cpuinfo").read_text(errors="replace").split())
    missing = [flag for flag in ("avx2", "bmi2", "fma", "movbe") if flag not in flags]
    if missing:
        raise ImportError(f"this processor lacks {', '.join(missing)}, and poslab's wheel is built for x86-64-v3 (processors of 2013 and "
                          "later): build poslab from source here, where it takes what there is")


forked = False
_opened: list[Library] = []


def library() -> Library:
    """libposlab.so: where POSLAB_LIBRARY says, or where the package lies."""
    if not _opened:
        named = os.environ.get("POSLAB_LIBRARY")
        candidates = [Path(named)] if named else [place / "lib/libposlab.so" for place in PLACES]
        found = [path for path in candidates if path.is_file()]
        if not found:
            raise ImportError("there is no libposlab.so, with which schemes are computed; looked for as "
                              f"{', '.join(map(str, candidates))}: in a checkout `./dev build libposlab plugins/all` makes it, "
                              "elsewhere POSLAB_LIBRARY names it")
        require_processor()
        os.environ.setdefault("POSLAB_PYTHON", sys.executable)  # runs schemes that are Python files, too
        _opened.append(Library(found[0]))
        os.register_at_fork(after_in_child=_forget)
    return _opened[0]


def _forget() -> None:
    global forked
    forked = True


def plugin_folders() -> list[str]:
    """Those of POSLAB_PLUGIN_PATH, then that of the library."""
    of_library = library().path.parents[1]
    own = [folder for folder in (of_library / "lib/poslab/plugins", of_library / "plugins") if folder.is_dir()]
    return [*filter(None, os.environ.get("POSLAB_PLUGIN_PATH", "").split(":")), *map(str, own)]

