# SPDX-License-Identifier: Apache-2.0
"""What the journal of a shard says that it is a part of, so that a test can change it: core/journal/shard_record.cpp."""

import contextlib
import hashlib
import sqlite3
import struct

NUMBERS = ("index", "count", "whole")
LISTS = ("experiments", "schemes", "expectations", "cells")
FIELDS = ("index", "count", "title", "study_hash", "poslab", "plan_hash", "whole", "families", *LISTS, "indices", "provenance")


def number(bytes_, at):
    return struct.unpack_from("<Q", bytes_, at)[0], at + 8


def text(bytes_, at):
    size, at = number(bytes_, at)
    return bytes_[at:at + size], at + size


def items(bytes_, at, read):
    count, at = number(bytes_, at)
    all_ = []
    for _ in range(count):
        item, at = read(bytes_, at)
        all_.append(item)
    return all_, at


def packed(value):
    if isinstance(value, int):
        return struct.pack("<Q", value)
    if isinstance(value, bytes):
        return struct.pack("<Q", len(value)) + value
    return struct.pack("<Q", len(value)) + b"".join(map(packed, value))


class ShardRecord:
    """With a right checksum when it is left, unless `sealed` is set to False."""

    def __init__(self, journal):
        self.journal, self.sealed = journal, True

    def __enter__(self):
        with contextlib.closing(sqlite3.connect(self.journal)) as connection:
            record = connection.execute("SELECT record FROM shard").fetchone()[0]
        at, self.seal = 16, record[:16]
        for field in FIELDS:
            if field in NUMBERS:
                value, at = number(record, at)
            elif field in LISTS or field == "indices":
                value, at = items(record, at, number if field == "indices" else text)
            else:
                value, at = text(record, at)
            setattr(self, field, value)
        assert at == len(record)
        return self

    def __exit__(self, *_):
        record = b"".join(packed(getattr(self, field)) for field in FIELDS)
        record = (hashlib.sha256(record).hexdigest()[:16].encode() if self.sealed else self.seal) + record
        with contextlib.closing(sqlite3.connect(self.journal)) as connection:
            connection.execute("UPDATE shard SET record = ?", (record,))
            connection.commit()


def sealed(record):
    return hashlib.sha256(record[16:]).hexdigest()[:16].encode() + record[16:]


def with_another_version(record):
    """A packed scheme or experiment with another version: a text after its id, at once or after its title."""
    at = 18
    for _ in range(1 if record[16:17] == b"E" else 2):
        at += 8 + struct.unpack_from("<Q", record, at)[0]
    size = struct.unpack_from("<Q", record, at)[0]
    return sealed(record[:at] + struct.pack("<Q", 2) + b"99" + record[at + 8 + size:])
