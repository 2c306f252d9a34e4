# SPDX-License-Identifier: Apache-2.0
"""Which warnings fail a test: those that our own code causes. The options are CMake's, as of every test here."""

import types
import unittest
from unittest import mock

from samples import SAMPLES  # noqa: F401  (where poslab lies)

import poslab
import poslab.comparison
import poslab.run_file
import poslab.vetting
from poslab import pictures

CODE = """
def cause_a_warning():
    import warnings
    warnings.warn("this will change", FutureWarning)
"""


class Warnings(unittest.TestCase):
    def test_of_our_own_code_are_errors(self):
        for module in (poslab, poslab.run_file, poslab.vetting, poslab.comparison, pictures, pictures.looks):
            namespace = {"__name__": module.__name__}
            exec(CODE, namespace)
            with self.assertRaisesRegex(FutureWarning, "this will change"):
                namespace["cause_a_warning"]()

    def test_of_other_packages_are_not(self):
        other = types.ModuleType("some_package_of_the_machine")
        exec(CODE, vars(other))
        with mock.patch("warnings.showwarning") as shown:  # the filters stay as they are
            other.cause_a_warning()
        shown.assert_called_once()


if __name__ == "__main__":
    unittest.main()
