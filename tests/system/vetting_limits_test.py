# SPDX-License-Identifier: Apache-2.0
"""A file is vetted by the program, by Python before h5py opens it, and by the page: with the limits that results/read/vetting.hpp declares."""

import os
import re
import sys
import unittest
from pathlib import Path

SOURCE = Path(os.environ["POSLAB_SOURCE_DIR"])
sys.path.insert(0, str(SOURCE / "results/python"))
from poslab import vetting  # noqa: E402

CPP, PAGE = (SOURCE / "results" / name for name in ("read/vetting.hpp", "page/src/depth.js"))


def number(file, name):
    """The value of a constant: 100'000, 100_000, 1 << 20, hsize_t{1} << 30."""
    (value,) = re.findall(rf"\b{name} = ([^;,]+)[;,]", file.read_text())
    first, *shift = value.replace("hsize_t{1}", "1").replace("'", "").split(" << ")
    return int(first) << (int(shift[0]) if shift else 0)


class Limits(unittest.TestCase):
    def test_python_has_those_of_the_program(self):
        for name, limit in (("max_objects", vetting.MOST_OBJECTS), ("deepest_group", vetting.DEEPEST_GROUP), ("largest_share", vetting.LARGEST_SHARE),
                            ("largest_attribute", vetting.LARGEST_ATTRIBUTE), ("unsuspicious", vetting.LARGE_FILE)):
            self.assertEqual(limit, number(CPP, name), name)

    def test_the_page_has_those_of_the_program(self):
        for name, there in (("max_objects", "MOST_OBJECTS"), ("deepest_group", "DEEPEST_GROUP")):
            self.assertEqual(number(PAGE, there), number(CPP, name), name)


if __name__ == "__main__":
    unittest.main()
