# SPDX-License-Identifier: Apache-2.0
"""Bytes of a file before HDF5 sees them: are they those that poslab wrote, and do its heaps of texts come to an end?"""

import hashlib
import mmap
import os
import struct
from pathlib import Path
from typing import NoReturn

SEAL = b"\nposlab sha256 "  # then 64 hex digits and a line break, behind the last byte of HDF5: results/h5/seal.hpp
SEAL_BYTES = 80
HEAP = b"GCOL\x01"  # a heap of texts, wherever it lies; then three bytes that poslab leaves 0: results/read/heap_vetting.cpp
HEADER = 16  # bytes, of a heap as of an object in it


def require_undamaged(path: Path) -> None:
    """Raises ValueError. Files of earlier poslabs, and those that another program has changed since, have no seal."""
    if os.path.getsize(path) == 0:
        return  # h5py says what it thinks of that
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if not is_unbroken(data):
            raise ValueError(f"{path} is damaged: its checksum is not that of its bytes; copy it again, or run its study again")
        objects = 0
        at = data.find(HEAP)
        while at >= 0:
            objects += require_end(path, data, at, len(data) // HEADER - objects)
            at = data.find(HEAP, at + 1)


def is_unbroken(data: mmap.mmap) -> bool:
    sealed = max(0, len(data) - SEAL_BYTES)
    if data[sealed:].startswith(SEAL):
        digest = hashlib.sha256(memoryview(data)[:sealed]).hexdigest()
        return data[sealed:] == SEAL + digest.encode() + b"\n"
    return len(data) <= end_of_hdf5(data)


def end_of_hdf5(data: mmap.mmap) -> float:
    """Where HDF5's own part ends, by its superblock; without end where that does not say so."""
    block = data[:64]
    if len(block) < 64 or not block.startswith(b"\x89HDF\r\n\x1a\n") or block[8] > 3 or block[13 if block[8] < 2 else 9] != 8:
        return float("inf")
    return int(struct.unpack_from("<Q", block, {0: 40, 1: 44}.get(block[8], 28))[0])


def require_end(path: Path, data: mmap.mmap, start: int, most: int) -> int:
    """Walks a heap from object to object, as HDF5 does, which goes on for ever at a free space of no bytes; the number of
    its objects.
    """
    def refuse(what: str) -> NoReturn:
        raise ValueError(f"{path}: the heap at byte {start} {what}; poslab writes no such thing, and nothing of this file is read")

    size = struct.unpack_from("<Q", data, start + 8)[0] if start + HEADER <= len(data) else 0
    if not HEADER <= size <= len(data) - start:
        if any(data[start + len(HEAP):start + 8]):
            return 0  # no heap, or one that HDF5 cannot read: five bytes may look so by chance
        refuse("is larger than the file")
    at, end, objects = start + HEADER, start + size, 0
    while end - at >= HEADER:
        objects += 1
        if objects > most:
            refuse("shares its bytes with other heaps")
        number, bytes_of_it = struct.unpack_from("<H6xQ", data, at)
        step = bytes_of_it if number == 0 else HEADER + (bytes_of_it + 7) // 8 * 8
        if not HEADER <= step <= end - at:
            refuse("has an object whose size cannot be")
        at += step
    return objects
