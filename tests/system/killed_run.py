# SPDX-License-Identifier: Apache-2.0
"""One run that is watched and killed: what it shows, and the trace that its cells leave."""

import os
import pty
import re
import select
import signal
import subprocess
import time

from killed_study import LENGTHS
from named_pipe import NamedPipe
from survival import children_of


class Trace(NamedPipe):
    """Into which `leaves-a-trace` writes a line for every cell of its own."""

    def times(self):
        """{(variant, length): times in seconds} of the cells of uniqueness, which asks once a cell."""
        self.receive()
        times = {}
        for line in self.text.splitlines():
            moment, number, length = map(int, line.split())
            if length in LENGTHS["large"] + LENGTHS["small"]:
                times.setdefault((f"leaves-a-trace(number={number})", length), []).append(moment / 1e9)
        return times


class Run:
    """One process of poslab, its stderr a terminal, so that it says all the time how far it is."""

    def __init__(self, program, arguments, folder, trace):
        self.started = time.monotonic()
        self.trace, self.shown = trace, ""
        self.terminal, other = pty.openpty()
        self.process = subprocess.Popen([program, *map(str, arguments)], cwd=folder, stdin=subprocess.DEVNULL, stderr=other,
                                        stdout=subprocess.DEVNULL, env=os.environ | {"POSLAB_TEST_TRACE": str(trace.path)})
        os.close(other)

    def watch(self, seconds):
        """Reads what it shows until it has ended (True) or `seconds` after its start are over (False)."""
        while True:
            left = self.started + seconds - time.monotonic()
            if left <= 0:
                return self.process.poll() is not None
            ready = select.select([self.terminal, self.trace.pipe], [], [], left)[0]
            self.trace.receive()
            if self.terminal in ready and not self.read():
                self.process.wait()
                return True

    def read(self):
        try:
            text = os.read(self.terminal, 65536)
        except OSError:  # nobody holds the other end any more
            return False
        self.shown += text.decode(errors="replace")
        return bool(text)

    def reported(self):
        """How many cells it has called done, those among them that were kept."""
        counts = re.findall(r"(\d+)/\d+ cells", self.shown)
        return int(counts[-1]) if counts else 0

    def kill(self, who):
        """Kills `host`, `workers` or `both`; returns who was there to be killed."""
        workers = children_of(self.process.pid)
        if not workers:
            who = "host"
        for process in (workers if who != "host" else []) + ([self.process.pid] if who != "workers" else []):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:  # it was just ending
                pass
        if who != "workers":
            self.process.wait()
        return who

    def close(self):
        while select.select([self.terminal], [], [], 0)[0] and self.read():
            pass
        os.close(self.terminal)
