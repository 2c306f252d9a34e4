# SPDX-License-Identifier: Apache-2.0
"""The page of one file: it has the results file in it as it is, and shows what the file says."""

import base64
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

import h5py
from poslab_case import SOURCE, PoslabCase, study_text

sys.path.insert(0, str(SOURCE / "results/python"))
sys.dont_write_bytecode = True
import poslab  # noqa: E402

VIEWER = SOURCE / "results/python/poslab/report/viewer.html"
MODULES = SOURCE / "build/page"
DATA = re.compile(r'<script type="application/x-hdf5" data-name="([^"]*)">([A-Za-z0-9+/=]*)</script>\n')
EVIL = '</script><script>document.title = "taken"</script><img src="x" onerror="document.title=1">\u202e'
STUDY = study_text("Four schemes", ["none", "sinusoidal", "rope", "t5"],
                   [("uniqueness", "axes = { length = [16, 32] }"), ("norm-preservation", "repeats = 2\naxes = { length = [16] }"),
                    ("distance-profile", "repeats = 2\naxes = { length = [16], contents = [2] }")]) + """
[[expect]]
experiment = "uniqueness"
where = { scheme = "rope", length = 32 }
measure = "distinct"
value = 32
tolerance = 0
[[expect]]
experiment = "norm-preservation"
where = { scheme = "rope" }
minus = { scheme = "sinusoidal" }
repeats = "mean"
measure = "isometry_error"
at_most = 0.1
"""


class PageCase(PoslabCase):
    finished: bytes | None = None  # the results of STUDY, which are made once

    def setUp(self):
        super().setUp()
        self.results = self.scratch / "study.h5"
        if PageCase.finished is None:
            self.expect((0, 1), "run", self.study(STUDY))
            PageCase.finished = self.results.read_bytes()
        self.results.write_bytes(PageCase.finished)

    def report(self, *arguments, code=0):
        """`poslab report` as Python runs it: the sentence that it ends with."""
        done = subprocess.run([sys.executable, "-B", "-m", "poslab.report", *map(str, arguments)], cwd=self.scratch, capture_output=True,
                              text=True, env=os.environ | {"PYTHONPATH": str(SOURCE / "results/python")})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def with_evil_texts(self, name):
        path = self.scratch / name
        shutil.copy(self.results, path)
        with h5py.File(path, "r+") as file:
            file.attrs["title"] = EVIL
            for column in ("answers/sentence", "answers/text", "answers/heading", "answers/legend", "expectations/source"):
                file[column][...] = [EVIL] * len(file[column])
        return path


class Written(PageCase):
    """With Debian's packages alone."""

    def test_the_page_has_the_bytes_of_the_file(self):
        self.assertEqual(self.report("study.h5", "-o", "study.html"), "study.html\n")
        page = (self.scratch / "study.html").read_text()
        ((name, data),) = DATA.findall(page)
        self.assertEqual(name, "study.h5")
        self.assertEqual(base64.b64decode(data, validate=True), self.results.read_bytes())
        before, after = VIEWER.read_text().split("<!-- data -->")
        self.assertEqual(DATA.sub("", page), before + after)

    def test_the_viewer_without_a_file(self):
        self.report("--empty", "-o", "viewer.html")
        self.assertEqual((self.scratch / "viewer.html").read_text(), VIEWER.read_text().replace("<!-- data -->", ""))
        for wrong in (["--empty"], ["--empty", "-o", "viewer.md"], ["--empty", "study.h5", "-o", "viewer.html"], []):
            self.assertRegex(self.report(*wrong, code=2), r"error: .*(--empty)")

    def test_two_files(self):
        shutil.copy(self.results, self.scratch / "other.h5")
        self.report("study.h5", "--beside", "other.h5", "-o", "both.html")
        self.assertEqual([name for name, _ in DATA.findall((self.scratch / "both.html").read_text())], ["study.h5", "other.h5"])

    def test_texts_of_strangers_are_data(self):
        path = self.with_evil_texts("evil.h5")
        named = path.rename(self.scratch / '"><script>alert(1)<'.replace("/", ""))
        self.report(named, "-o", "evil.html")
        page = (self.scratch / "evil.html").read_text()
        ((name, data),) = DATA.findall(page)
        self.assertEqual(name, "&quot;&gt;&lt;script&gt;alert(1)&lt;")
        self.assertEqual(base64.b64decode(data), named.read_bytes())
        self.assertEqual(DATA.sub("", page), VIEWER.read_text().replace("<!-- data -->", ""))

    def test_what_is_no_results_file_is_refused(self):
        whole = self.results.read_bytes()
        for content, said in ((b"no HDF5", "study.h5"), (whole[:20000], "study.h5"), (whole[:-90] + b"x" + whole[-89:], "damaged")):
            self.results.write_bytes(content)
            self.assertIn(said, self.report("study.h5", "-o", "study.html", code=1))
            self.assertFalse((self.scratch / "study.html").exists())

    def test_the_viewer_asks_no_host_and_names_whose_it_is(self):
        page = VIEWER.read_text()
        policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1]
        self.assertTrue(policy.startswith("default-src 'none'; "))
        self.assertNotRegex(policy, "https?:|connect-src|unsafe-eval'(?<!wasm-unsafe-eval')")
        self.assertNotRegex(page, r"""(?i)<(link|iframe|object|embed|base)\b|<(script|img)[^>]*\bsrc=""")
        self.assertIn("NIST-developed software is provided by NIST as a public service", page)
        self.assertLess(VIEWER.stat().st_size, 1_600_000)


def worker_and_rest(page):
    """The worker's program is compressed, for which every zlib has its own bytes."""
    packed = re.search(r'<script type="text/plain" id="worker">([^<]*)</script>', page)
    return gzip.decompress(base64.b64decode(packed[1])), page[:packed.start(1)] + page[packed.end(1):]


@unittest.skipUnless(shutil.which("node") and (MODULES / "node_modules").is_dir(),
                     "there is no node, or no build/page/node_modules, which ./dev page fetches")
class Built(PageCase):
    def test_the_committed_page_is_what_the_sources_give(self):
        subprocess.run(["node", SOURCE / "results/page/build.js", MODULES, self.scratch / "again.html"], check=True, capture_output=True)
        again = worker_and_rest((self.scratch / "again.html").read_text())
        self.assertTrue(again == worker_and_rest(VIEWER.read_text()), "results/page has changed since: ./dev page makes viewer.html anew")

    @unittest.skipUnless(shutil.which("chromium"), "there is no chromium, in which the page would be opened")
    def test_in_a_browser(self):
        """results/page/test opens the pages and files that are made here."""
        shutil.copy(self.results, self.scratch / "other.h5")
        with h5py.File(self.scratch / "other.h5", "r+") as file:
            measure = file["norm-preservation/isometry_error"]
            self.row = int(list(file["norm-preservation/scheme"].asstr()[:]).index("rope"))
            measure[self.row] = 0.5
            del file["norm-preservation/ratio_min"]
            file["answers/column_point"][...] = [b"length = 8" if point else point for point in file["answers/column_point"]]
        evil, whole = self.with_evil_texts("evil.h5"), self.results.read_bytes()
        self.report(evil, "-o", "evil.html")
        self.report("study.h5", "-o", "study.html")
        self.report("study.h5", "--beside", "other.h5", "-o", "both.html")
        self.report("--empty", "-o", "viewer.html")
        for name, content in (("text.h5", b"no HDF5"), ("study.toml", b"format = 1"), ("cut.h5", whole[:20000]), ("corrupt.h5", whole[:-90] + b"x" + whole[-89:])):
            (self.scratch / name).write_bytes(content)
        with h5py.File(self.scratch / "foreign.h5", "w") as file:
            file["numbers"] = [1, 2]
        for name, spoil in (("newer.h5", lambda file: file.attrs.modify("schema_version", 3)),
                            ("earlier.h5", lambda file: file.attrs.modify("schema_version", 1)),
                            ("unanswered.h5", lambda file: file.__delitem__("answers")), ("broken.h5", lambda file: file.__delitem__("variant"))):
            shutil.copy(self.results, self.scratch / name)
            with h5py.File(self.scratch / name, "r+") as file:
                spoil(file)
        shutil.copy(self.results, self.scratch / "deep.h5")
        with h5py.File(self.scratch / "deep.h5", "r+") as file:
            group = file["uniqueness"]
            for _ in range(1000):
                group = group.create_group("g")
        shutil.copy(self.results, self.scratch / "crowded.h5")
        with h5py.File(self.scratch / "crowded.h5", "r+") as file:
            group = file.create_group("more")
            for number in range(100_001):
                group.id.links.create_hard(b"%d" % number, file["uniqueness"].id, b"status")
        bases = ", ".join(f"{base}.0" for base in range(1000, 3000, 10))
        self.expect(0, "run", self.study(study_text("Many cells", [("rope", f"axes = {{ base = [{bases}] }}")],
                                                    [("uniqueness", "axes = { length = { range = [2, 51, 1] } }")]), "many.toml"))
        # What belongs to one length: shifts whose last in order is the other's.
        parts = [("relative-shift", f"axes = {{ length = [{length}], shift = {shifts} }}") for length, shifts in ((16, [4, 8]), (32, [1, 2]))]
        self.expect((0, 1), "run", self.study(study_text("Parts", ["rope", "none"], parts), "parts.toml"))
        self.report("parts.h5", "-o", "parts.html")
        self.expect(0, "run", self.study(name="small.toml"), "--shard", "1/1000", "-o", "part.h5")
        self.expect(3, "merge", "--partial", "part.1-of-1000.h5", "-o", "nothing.1-of-1000.h5")
        with h5py.File(self.scratch / "nothing.1-of-1000.h5", "r+") as file:
            file.create_group("shard")  # as earlier versions wrote it
        (differences,) = re.findall(r"(\d+) differences", self.expect(1, "compare", "study.h5", "other.h5"))
        run = poslab.open(self.results)
        answers = run.answers
        known = answers[(answers.variant == "rope") & (answers.experiment == "uniqueness")].text.item()
        table = [[said.replace(" ", "") for said in row] for row in run.answer_table.to_numpy().tolist()]
        done = subprocess.run(["node", "--test", SOURCE / "results/page/test/page_test.js"], cwd=self.scratch, capture_output=True, text=True,
                              env=os.environ | {"POSLAB_PAGE_MODULES": str(MODULES), "POSLAB_PAGES": str(self.scratch), "POSLAB_KNOWN": known,
                                                "POSLAB_DIFFERENCES": differences, "POSLAB_ANSWERS": json.dumps(table)})
        self.assertEqual(done.returncode, 0, done.stdout[-6000:] + done.stderr[-2000:])


if __name__ == "__main__":
    unittest.main()
