"""What every system test needs: a scratch directory, and poslab as a process."""

import os
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

# Whoever is started in the background may have been told to ignore Ctrl-C, and what it starts ignores it, too.
signal.signal(signal.SIGINT, signal.default_int_handler)
BINARY = os.environ["POSLAB_BINARY"]
SOURCE = Path(os.environ["POSLAB_SOURCE_DIR"])
BUILD = Path(os.environ["POSLAB_BUILD_DIR"])
FONTS = BUILD / "tests/matplotlib"  # what matplotlib found of fonts, which it looks for anew where nobody did

SMALL_STUDY = """
format = 1
title = "small"
seed = 7
[model]
d_model = 32
heads = 4
[[scheme]]
use = "none"
[[scheme]]
use = "sinusoidal"
[[scheme]]
use = "rope"
[[scheme]]
use = "alibi"
[[experiment]]
use = "uniqueness"
[experiment.axes]
length = [8, 16]
"""


def study_text(title, schemes, experiments):
    """A study of small models. `schemes` and `experiments`: each an id, or an id and the further lines of its table."""
    def tables(kind, entries):
        pairs = [(entry, "") if isinstance(entry, str) else entry for entry in entries]
        return "".join(f'[[{kind}]]\nuse = "{name}"\n{lines}\n' for name, lines in pairs)

    model = "[model]\nd_model = 32\nheads = 4\n"
    return f'format = 1\ntitle = "{title}"\nseed = 3\n' + model + tables("scheme", schemes) + tables("experiment", experiments)


class PoslabCase(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="poslab-test-")
        self.addCleanup(scratch.cleanup)
        self.scratch = Path(scratch.name)
        cache = tempfile.TemporaryDirectory(prefix="poslab-test-cache-")  # what was checked for whoever runs the tests is theirs
        self.addCleanup(cache.cleanup)
        self.cache = Path(cache.name)

    def study(self, text=SMALL_STUDY, name="study.toml"):
        path = self.scratch / name
        path.write_text(text)
        return path

    def poslab(self, *arguments, **options):
        """Runs poslab in the scratch directory; returns the finished process with text output."""
        environment = {k: v for k, v in os.environ.items() if k != "POSLAB_PLUGIN_PATH"}
        environment |= {"XDG_CACHE_HOME": str(self.cache), "MPLCONFIGDIR": str(FONTS)} | options.pop("environment", {})
        return subprocess.run([options.pop("binary", BINARY), *map(str, arguments)], cwd=options.pop("cwd", self.scratch), env=environment,
                              capture_output=True, text=True, timeout=600, **options)

    def expect(self, code, *arguments, **options):
        """poslab with these arguments ends with `code` (or one of several); returns stdout and stderr joined."""
        done = self.poslab(*arguments, **options)
        output = done.stdout + done.stderr
        self.assertIn(done.returncode, code if isinstance(code, tuple) else (code,), output)
        return output
