# SPDX-License-Identifier: Apache-2.0
"""Before a file is opened: is it one that may be?"""

import math
import os
import stat
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import h5py
import numpy as np

from poslab.damage import require_undamaged
from poslab.texts import printable

LARGE_FILE = 1 << 30  # bytes that any file may declare in all
LARGEST_CHUNK = 2 << 18  # bytes that are unpacked to see one value: as for any program's file in results/read/dataset_vetting.cpp
LARGEST_SHARE = 10_000  # of its own size that a file may declare beyond that, as in results/read/vetting.hpp
DEEPEST_GROUP, MOST_OBJECTS = 4, 100_000  # as in results/read/vetting.hpp
LARGEST_ATTRIBUTE = 1 << 20  # bytes, as there
PLAIN = (h5py.h5t.INTEGER, h5py.h5t.FLOAT, h5py.h5t.STRING, h5py.h5t.ENUM)  # classes of types that are made of no others
REFERENCE = np.dtype([("length", "<u4"), ("heap", "<u8"), ("number", "<u4")])  # where a text is


def kind(mode: int) -> str:
    kinds = {stat.S_IFDIR: "a directory", stat.S_IFIFO: "a FIFO", stat.S_IFSOCK: "a socket"}
    return kinds.get(stat.S_IFMT(mode), "a device")


def vet(path: Path) -> None:
    """Raises ValueError if the file is damaged, has links, or datasets, that lead to other files, or declares more values
    than anybody would want to read, has more objects or deeper groups than poslab writes, or types within types: each is
    a call within a call to who reads them. Links are listed and not followed; since no object may have two names, the walk
    ends. Only then may others open what is in the file.
    """

    def refuse(name: str, what: str) -> NoReturn:
        verdict = "poslab writes no such thing, and nothing of this file is read"
        raise ValueError(printable(f"{path}: {name} {what}; {verdict}"))

    require_undamaged(path)
    declared, texts, size = 0, 0, os.path.getsize(path)
    with h5py.File(path, "r") as file:
        if file.id.get_create_plist().get_sizes() != (8, 8):  # with which the heaps were walked
            refuse("/", "counts bytes in other numbers than those of 64 bits")
        names, groups = {h5py.h5o.get_info(file.id).addr: "/"}, [("", file["/"].id, 0)]
        vet_attributes(file["/"].id, "/", refuse)
        while groups:
            prefix, group, depth = groups.pop()
            if depth > DEEPEST_GROUP:
                refuse(prefix.rstrip("/"), f"lies in more than {DEEPEST_GROUP} groups")
            if len(names) + group.get_num_objs() > MOST_OBJECTS:
                refuse(prefix or "/", f"has, with what comes before it, more than {MOST_OBJECTS} objects")
            for name in group:
                path_in_file = prefix + name.decode(errors="replace")
                vet_link(group, name, path_in_file, refuse)
                thing = h5py.h5o.open(group, name)
                first = names.setdefault(h5py.h5o.get_info(thing).addr, path_in_file)
                if first != path_in_file:
                    refuse(path_in_file, f"is a second name of {first}")
                if not isinstance(thing, h5py.h5g.GroupID | h5py.h5d.DatasetID):
                    refuse(path_in_file, "is a named type")
                vet_attributes(thing, path_in_file, refuse)
                if isinstance(thing, h5py.h5g.GroupID):
                    groups.append((f"{path_in_file}/", thing, depth + 1))
                else:
                    if not is_plain(thing.get_type()):
                        refuse(path_in_file, "has a type that is made of others")
                    vet_storage(thing, path_in_file, refuse)
                    texts += bytes_of_texts(thing, path)
                    if texts > LARGE_FILE:
                        refuse(path_in_file, f"has texts of {texts} bytes, with those before it: more than 1 GiB")
                    bytes_of_it = math.prod(thing.shape) * thing.dtype.itemsize
                    declared += bytes_of_it
                    if declared > max(LARGE_FILE, LARGEST_SHARE * size):
                        refuse(path_in_file, f"declares {thing.shape} values of {bytes_of_it} bytes, with what comes "
                                             f"before it {declared}: more than 1 GiB and {LARGEST_SHARE} times the "
                                             f"{size} bytes of the file")


def vet_link(group: h5py.h5g.GroupID, name: bytes, path_in_file: str, refuse: Callable[[str, str], NoReturn]) -> None:
    link = group.links.get_info(name)
    if link.type == h5py.h5l.TYPE_SOFT:
        refuse(path_in_file, f"is a soft link to {os.fsdecode(group.links.get_val(name))}")
    if link.type == h5py.h5l.TYPE_EXTERNAL:
        refuse(path_in_file, f"is a link into another file, {os.fsdecode(group.links.get_val(name)[0])}")
    if link.type != h5py.h5l.TYPE_HARD:
        refuse(path_in_file, "is a link of a class of its own")


def is_plain(kind: h5py.h5t.TypeID) -> bool:
    return kind.get_class() in PLAIN


def vet_attributes(owner: h5py.h5g.GroupID | h5py.h5d.DatasetID, path_in_file: str, refuse: Callable[[str, str], NoReturn]) -> None:
    """Numbers and texts; those by which netCDF names dimensions are lists of references, and pairs of one and a number."""
    for number in range(h5py.h5a.get_num_attrs(owner)):
        attribute = h5py.h5a.open(owner, index=number)
        kind, name = attribute.get_type(), f"{path_in_file}@{attribute.name.decode(errors='replace')}"
        if not is_plain(kind) and not is_reference(kind):
            refuse(name, "is neither a number nor a text")
        space = attribute.get_space()
        count = math.prod(space.shape) if space.get_simple_extent_type() == h5py.h5s.SIMPLE else 1
        if count > 1 and isinstance(kind, h5py.h5t.TypeStringID) and kind.is_variable_str():
            refuse(name, "is a list of texts")  # which may share the bytes of one
        if count * kind.get_size() > LARGEST_ATTRIBUTE:
            refuse(name, "is larger than a mebibyte")


def is_reference(kind: h5py.h5t.TypeID) -> bool:
    if isinstance(kind, h5py.h5t.TypeVlenID):
        return bool(kind.get_super().get_class() == h5py.h5t.REFERENCE)
    if isinstance(kind, h5py.h5t.TypeCompoundID):
        parts = [kind.get_member_class(place) for place in range(kind.get_nmembers())]
        return bool(set(parts) <= {h5py.h5t.REFERENCE, h5py.h5t.INTEGER})
    return bool(kind.get_class() == h5py.h5t.REFERENCE)


def vet_storage(dataset: h5py.h5d.DatasetID, path_in_file: str, refuse: Callable[[str, str], NoReturn]) -> None:
    stored = dataset.get_create_plist()
    if stored.get_layout() == h5py.h5d.VIRTUAL:
        refuse(path_in_file, "is a virtual dataset, made of others")
    if stored.get_external_count():
        refuse(path_in_file, f"has its values in another file, {os.fsdecode(stored.get_external(0)[0])}")
    if stored.get_layout() == h5py.h5d.CHUNKED and (chunk := math.prod(stored.get_chunk()) * dataset.dtype.itemsize) > LARGEST_CHUNK:
        refuse(path_in_file, f"has chunks of {chunk} bytes: more than {LARGEST_CHUNK}")


def bytes_of_texts(dataset: h5py.h5d.DatasetID, path: Path) -> int:
    """How long its texts say they are, each counted wherever it stands: many may share the bytes of one. 0 of other kinds."""
    kind, layout = dataset.get_type(), int(dataset.get_create_plist().get_layout())
    if not isinstance(kind, h5py.h5t.TypeStringID) or not kind.is_variable_str():
        return 0
    if layout == h5py.h5d.CHUNKED:
        places = (dataset.get_chunk_info(number).chunk_offset for number in range(dataset.get_num_chunks()))
        return int(sum(length_of(unpacked(dataset, place)) for place in places))
    if layout == h5py.h5d.CONTIGUOUS and (offset := dataset.get_offset()) is not None:
        count = min(math.prod(dataset.shape), max(0, os.path.getsize(path) - offset) // REFERENCE.itemsize)
        return length_of(np.fromfile(path, np.uint8, count * REFERENCE.itemsize, offset=offset).tobytes())
    # Compact ones, which poslab does not write, nobody can look into.
    return int(math.prod(dataset.shape)) * LARGE_FILE if layout == h5py.h5d.COMPACT else 0


def length_of(references: bytes) -> int:
    whole = len(references) // REFERENCE.itemsize * REFERENCE.itemsize
    return int(np.frombuffer(references[:whole], REFERENCE)["length"].sum(dtype=np.int64))


def unpacked(dataset: h5py.h5d.DatasetID, place: tuple[int, ...]) -> bytes:
    """The bytes of a chunk, its filters undone (checksums HDF5 gives no texts); no more than a chunk has, whatever they say."""
    stored, size = dataset.get_create_plist(), math.prod(dataset.get_create_plist().get_chunk()) * REFERENCE.itemsize
    mask, data = dataset.read_direct_chunk(place)
    for number in reversed(range(stored.get_nfilters())):
        kind, _, values, _ = stored.get_filter(number)
        if mask >> number & 1:
            continue
        if kind == h5py.h5z.FILTER_DEFLATE:
            data = zlib.decompressobj().decompress(data, size)
        elif kind == h5py.h5z.FILTER_SHUFFLE and values:  # which HDF5 leaves out for texts, and another need not
            whole = len(data) // values[0] * values[0]  # bytes of whole numbers, of so many bytes each
            data = np.frombuffer(data[:whole], np.uint8).reshape(values[0], -1).T.tobytes() + data[whole:]
    return bytes(data)
