# SPDX-License-Identifier: Apache-2.0
"""What the packed records of a shard's file look like, so that a test can change them: core/data/pack.cpp."""

import hashlib
import struct

import h5py
import numpy as np


class Records:
    def __init__(self, path, name):
        self.file, self.name = h5py.File(path, "r+"), name

    def __enter__(self):
        data, ends = self.file[f"shard/{self.name}_words"][:].astype("<u8").tobytes(), list(self.file[f"shard/{self.name}_end"][:])
        self.items = [data[a:b] for a, b in zip([0] + ends, ends)]
        return self.items

    def __exit__(self, *_):
        del self.file[f"shard/{self.name}_words"]
        data = b"".join(self.items)
        self.file[f"shard/{self.name}_words"] = np.frombuffer(data + bytes(-len(data) % 8), "<u8")
        self.file[f"shard/{self.name}_end"][...] = [sum(map(len, self.items[:i + 1])) for i in range(len(self.items))]
        self.file.close()


def sealed(record):
    return hashlib.sha256(record[16:]).hexdigest()[:16].encode() + record[16:]


def with_text(record, name, text):
    """A packed header with another text of that name."""
    at = record.index(name.encode()) + len(name) + 8
    size = struct.unpack_from("<Q", record, at)[0]
    return sealed(record[:at] + struct.pack("<Q", len(text)) + text.encode() + record[at + 8 + size:])


def with_another_version(record):
    """A packed scheme or experiment with another version: a text after its id, at once or after its title."""
    at = 18
    for _ in range(1 if record[16:17] == b"E" else 2):
        at += 8 + struct.unpack_from("<Q", record, at)[0]
    size = struct.unpack_from("<Q", record, at)[0]
    return sealed(record[:at] + struct.pack("<Q", 2) + b"99" + record[at + 8 + size:])
