"""A whole Slurm on this machine for one test: munged, slurmctld and slurmd from a private directory, on loopback, in the
foreground. They, and whatever jobs leave behind, end with the test: orphans come to us (a subreaper), and the daemons are
killed by the kernel should we die first."""

import ctypes
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

PACKAGES = "apt-get install -y --no-install-recommends slurm-wlm munge"
PR_SET_CHILD_SUBREAPER = 36

CONFIGURATION = """
ClusterName=poslab-test
SlurmctldHost={host}(127.0.0.1)
{communication}
SlurmUser=root
SlurmdUser=root
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CredType=cred/munge
StateSaveLocation={folder}/slurmctld
SlurmdSpoolDir={folder}/slurmd
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
MinJobAge=3600
KillWait=2
PlugStackConfig={folder}/plugstack.conf
MailProg=/bin/true
NodeName={host} NodeAddr=127.0.0.1 CPUs={processors} RealMemory={memory} State=UNKNOWN
PartitionName=test Nodes={host} Default=YES MaxTime=INFINITE State=UP DefMemPerCPU=300
"""


def why_not():
    """Empty, or why no Slurm can be started here, and what to do about it."""
    missing = [p for p in ("slurmctld", "slurmd", "munged", "sbatch", "setpriv") if not shutil.which(p, path=PATH)]
    if missing:
        return f"{', '.join(missing)} not found; as root: {PACKAGES}"
    if os.geteuid() != 0:
        return "the daemons of Slurm start jobs as their owners, which needs root; run this test as root"
    if not os.path.ismount("/sys/fs/cgroup"):
        return "slurmd does not start without control groups; as root: mount -t cgroup2 cgroup2 /sys/fs/cgroup"
    return ""


PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"


def is_address(host, **options):
    try:
        return bool(socket.getaddrinfo(host, 1, type=socket.SOCK_STREAM, **options))
    except OSError:
        return False


def communication():
    """Daemons listen on the address of this machine's name, where that is one; else everywhere, and munge keeps others out.
    Where there is no network but loopback, Slurm finds no address for IPv4 alone."""
    words = ["NoCtldInAddrAny", "NoInAddrAny"] if is_address(socket.gethostname()) else []
    if not is_address(None, family=socket.AF_INET, flags=socket.AI_PASSIVE | socket.AI_ADDRCONFIG):
        words.append("EnableIPv6")
    return "CommunicationParameters=" + ",".join(words) if words else ""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def wait_for(what, condition, seconds=20):
    """Returns what `condition` gives as soon as that is true."""
    deadline = time.monotonic() + seconds
    while not (result := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {seconds} s in vain for {what}")
        time.sleep(0.05)
    return result


class Processes:
    """All processes of this machine, as a snapshot."""

    def __init__(self):
        self.parent, self.command = {}, {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    stat = (entry / "stat").read_text()
                    self.command[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                except OSError:
                    continue  # it has just ended
                self.parent[int(entry.name)] = int(stat.rpartition(")")[2].split()[1])

    def below(self, root):
        found, new = set(), {root}
        while new:
            new = {pid for pid, parent in self.parent.items() if parent in new} - found
            found |= new
        return found


def kill_all(pids):
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


class Slurm:
    processors, memory = 2, 2000

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="poslab-slurm-"))
        self.host = socket.gethostname().split(".")[0]
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM_", "SBATCH_", "POSLAB_PLUGIN"))}
        self.environment |= {"SLURM_CONF": str(self.folder / "slurm.conf"), "PATH": PATH}
        self.daemons = {}
        self.before = Processes().below(os.getpid())
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        folder = self.folder
        folder.chmod(0o711)
        for name in ("slurmctld", "slurmd"):
            (folder / name).mkdir(mode=0o755)
        (folder / "plugstack.conf").touch()
        (folder / "munge.key").write_bytes(secrets.token_bytes(128))
        (folder / "munge.key").chmod(0o400)
        for attempt in range(3):  # a port that was free may be taken by the time that a daemon wants it
            (folder / "slurm.conf").write_text(CONFIGURATION.format(
                host=self.host, folder=folder, ports=free_ports(2), processors=self.processors, memory=self.memory,
                communication=communication()))
            self.start_munged()
            self.start_daemon("slurmctld")
            self.start_daemon("slurmd")
            try:
                return wait_for("a node that is idle", lambda: self.node_state() == "idle", 10)
            except AssertionError:
                if attempt == 2:
                    raise AssertionError(self.logs()) from None
                self.end_processes()

    def start_munged(self):
        self.spawn("munged", "--foreground", "--force", f"--key-file={self.folder}/munge.key",
                   f"--socket={self.folder}/munge.sock", f"--pid-file={self.folder}/munged.pid",
                   f"--log-file={self.folder}/munged.log", f"--seed-file={self.folder}/munged.seed", "--num-threads=2")
        wait_for("munged", (self.folder / "munge.sock").exists, 10)

    def start_daemon(self, name):
        self.spawn(name, "-D", "-c")

    def spawn(self, name, *arguments):
        self.daemons[name] = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", name, *arguments], env=self.environment, cwd=self.folder,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def run(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60)

    def node_state(self):
        return self.run("sinfo", "-h", "-o", "%t").stdout.strip()

    def states(self, job):
        """State and reason of each task that is or was; of a job without tasks under "N/A"."""
        lines = self.run("squeue", "-r", "-h", "-t", "all", "-j", job, "-o", "%K %T %r").stdout.splitlines()
        return {line.split()[0]: line.split(maxsplit=1)[1] for line in lines}

    def facts(self, job):
        """What scontrol says of a job or a task."""
        text = self.run("scontrol", "-o", "show", "job", job).stdout
        return dict(word.split("=", 1) for word in text.split() if "=" in word)

    def kill_node(self):
        """As a machine that goes away: its daemons, at once. What they had started lives on, which is worse."""
        processes = Processes()
        ours = processes.below(os.getpid())
        kill_all({self.daemons["slurmd"].pid} | {p for p in ours if "slurmstepd" in processes.command[p].split(" ")[0]})
        self.daemons["slurmd"].wait()

    def job_processes(self, text):
        """Processes of jobs whose command line has `text`."""
        processes = Processes()
        return {p for p in processes.below(os.getpid()) - self.before if text in processes.command[p]}

    def end_processes(self):
        while left := Processes().below(os.getpid()) - self.before:
            kill_all(left)
            for pid in left:
                try:
                    os.waitpid(pid, 0)
                except ChildProcessError:
                    pass  # a grandchild: once its parent is gone it is our child
        for daemon in self.daemons.values():
            daemon.poll()
        self.daemons.clear()

    def stop(self):
        self.end_processes()
        shutil.rmtree(self.folder, ignore_errors=True)

    def logs(self):
        text = ""
        for path in sorted(self.folder.glob("*.log")):
            text += f"--- {path.name}\n" + "\n".join(path.read_text(errors="replace").splitlines()[-30:]) + "\n"
        return text
