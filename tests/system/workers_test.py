"""Worker processes as such: there are as many as were asked for, their threads work at once, they hold nothing that belongs to the
host, and they end when the host lets go of them."""

import os
import socket
import struct
import subprocess
import time
import unittest
from pathlib import Path

from misbehaving import STUDY, MisbehavingCase
from poslab_case import BINARY, BUILD
from survival import children_of


class Workers(MisbehavingCase):
    def setUp(self):
        super().setUp()
        self.begun = []

    def tearDown(self):
        for process in self.begun:
            process.kill()
            process.wait()
        super().tearDown()

    def begin(self, *options, wanted):
        """A run that stands at a gate with `wanted` cells in flight; returns the process and who performs how many of them."""
        study = self.study(STUDY.format(schemes="".join(self.schemes(company=2 * wanted)[:2 * wanted]), lengths="[8]"))
        host = subprocess.Popen([BINARY, "run", study, "-o", "a.h5", *self.plugins(), *options], cwd=self.scratch,
                                env=os.environ | self.gate(wanted, "a.h5"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.addCleanup(host.stderr.close)
        self.begun.append(host)
        end = time.monotonic() + 25  # before they lose patience
        while host.poll() is None and sum(self.keepers().values()) < wanted and time.monotonic() < end:
            time.sleep(0.01)
        return host, self.keepers()

    def let_go(self, host):
        (self.scratch / "a.h5.company/gate").unlink()
        self.assertEqual(host.wait(120), 0, host.stderr.read())

    def test_threads_perform_cells_at_once(self):
        for options in ([], ["--in-process"]):
            with self.subTest(options):
                host, keepers = self.begin("--fresh", "--threads", "5", *options, wanted=5)
                self.assertEqual(list(keepers.values()), [5])
                self.assertEqual(list(keepers) == [host.pid], "--in-process" in options)
                self.let_go(host)

    def test_as_many_workers_as_asked_share_the_threads_and_hold_nothing_of_the_hosts(self):
        host, keepers = self.begin("--workers", "3", "--threads", "6", wanted=6)
        workers = children_of(host.pid)
        self.assertEqual(keepers, {worker: 2 for worker in workers})
        self.assertEqual(len(workers), 3)
        files = {worker: {os.readlink(link.path) for link in os.scandir(f"/proc/{worker}/fd")} for worker in [*workers, host.pid]}
        ours = {path for path in files[host.pid] if path.startswith(str(self.scratch.resolve()))}
        self.assertTrue({str(self.scratch.resolve() / name) for name in ("a.h5.journal", "a.h5.journal-lock")} <= ours, ours)
        for worker in workers:
            self.assertFalse({path for path in files[worker] if path.startswith(str(self.scratch.resolve()))}, "a lock that outlives us")
            self.assertEqual(sum(path.startswith("socket:") for path in files[worker]), 1, "only its own connection")
        self.let_go(host)

    def test_a_worker_opens_the_library_of_its_cells_and_no_other(self):
        host, _ = self.begin("--workers", "2", "--threads", "2", wanted=2)
        for worker in children_of(host.pid):
            opened = {word.rsplit("/", 1)[1] for word in (Path("/proc") / str(worker) / "maps").read_text().split()
                      if word.endswith(".so") and word.startswith(BUILD.as_posix())}
            self.assertEqual(opened, {"misbehaves.so"})
        self.let_go(host)

    def test_a_worker_ends_when_its_connection_does_though_its_parent_lives(self):
        ours, its = socket.socketpair()
        with ours, its:
            worker = subprocess.Popen(["bash", "-c", f'exec "$0" worker 3<&{its.fileno()}', BINARY], cwd=self.scratch,
                                      pass_fds=[its.fileno()], stdin=subprocess.DEVNULL)
            self.begun.append(worker)
            its.close()
            ours.sendall(b"poso" + struct.pack("<q", 8) + b"/nowhere")  # core/workers/protocol.hpp: open this library
            said = b""
            while b"posR" not in said and (more := ours.recv(4096)):  # refused: it serves
                said += more
            self.assertIn(b"posR", said)
            ours.close()
            self.assertEqual(worker.wait(60), 0)


if __name__ == "__main__":
    unittest.main()
