# SPDX-License-Identifier: Apache-2.0
"""What CMake says of another system or processor than those that poslab is tested on, before it looks for anything."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ["POSLAB_SOURCE_DIR"])
PAGE = "core/package/platforms.md"


class Platforms(unittest.TestCase):
    def configured(self, system, processor):
        """Exit code, and what CMake says, as one line."""
        with tempfile.TemporaryDirectory(prefix="poslab-platform-") as folder:
            done = subprocess.run(["cmake", "-S", SOURCE, "-B", folder, "-G", "Ninja", f"-DCMAKE_SYSTEM_NAME={system}",
                                   f"-DCMAKE_SYSTEM_PROCESSOR={processor}", "-DPOSLAB_ARCH=", "-DPOSLAB_TESTS=OFF"], capture_output=True, text=True)
            return done.returncode, " ".join((done.stdout + done.stderr).split())

    def test_another_system_is_refused_in_one_sentence_before_a_compiler_is_asked(self):
        for system, processor in (("Darwin", "arm64"), ("Windows", "AMD64"), ("FreeBSD", "x86_64")):
            code, said = self.configured(system, processor)
            self.assertEqual(code, 1, said)
            self.assertIn(f"poslab runs on Linux alone, and this is {system}:", said)
            self.assertEqual(said.count("CMake Error"), 1, said)
            self.assertNotIn("compiler", said)

    def test_another_processor_is_told_and_goes_on(self):
        code, said = self.configured("Linux", "aarch64")
        self.assertEqual(code, 0, said)
        self.assertIn("poslab is tested on x86-64 alone, and this is aarch64:", said)
        self.assertEqual(said.count("CMake Warning"), 1, said)

    def test_what_is_said_leads_to_a_page_that_is_there(self):
        self.assertIn(PAGE, (SOURCE / "core/cmake/System.cmake").read_text())
        self.assertTrue((SOURCE / PAGE).is_file())

    def test_nothing_is_said_where_it_is_tested(self):
        code, said = self.configured("Linux", "x86_64")
        self.assertEqual(code, 0, said)
        self.assertNotRegex(said, "poslab (is|runs)")


if __name__ == "__main__":
    unittest.main()
