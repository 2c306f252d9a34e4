# SPDX-License-Identifier: Apache-2.0
"""What tests of runs that go on need: what poslab status counts, and an undisturbed run to compare with."""

import json

from poslab_case import PoslabCase


class ResumeCase(PoslabCase):
    def status(self, code, *files):
        done = self.poslab("status", *files, "--json")
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def undisturbed(self, study):
        self.expect(0, "run", study, "-o", "undisturbed.h5")

    def assert_as_undisturbed(self, output):
        self.assertIn("equal bit for bit", self.expect(0, "compare", "--exact", "undisturbed.h5", output))
