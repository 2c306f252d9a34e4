# SPDX-License-Identifier: Apache-2.0
"""Executes a notebook on a results file and checks its pictures.

    python run_notebook.py NOTEBOOK RESULTS PICTURES [HTML]

The home directory is one of its own, so that no settings of the machine take part. Fails if a cell raises, if its own
code or the Python package causes a warning, or if there are fewer pictures than PICTURES. HTML: where to leave the
executed notebook as a page, in which all pictures must be and which must ask for nothing that is not in it.
"""

import base64
import json
import os
import re
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path


PACKAGE = Path(__file__).resolve().parents[2] / "results/python/poslab"
OURS = ["__main__", *(".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__") for file in PACKAGE.rglob("*.py"))]
OWN_WARNINGS = ",".join(["ignore", *(f"default:::{module}" for module in OURS)])  # of other packages: nobody's fault here
NBCONVERT = [sys.executable, "-Xfrozen_modules=off", "-m", "nbconvert", "--to"]


def execute(notebook, results, home):
    environment = os.environ | {
        "HOME": home, "IPYTHONDIR": home, "JUPYTER_CONFIG_DIR": home, "JUPYTER_RUNTIME_DIR": home, "MPLCONFIGDIR": home,
        "MPLBACKEND": "module://matplotlib_inline.backend_inline", "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        "PYTHONDONTWRITEBYTECODE": "1", "PYTHONWARNINGS": OWN_WARNINGS, "POSLAB_RESULTS": str(Path(results).resolve()),
    }
    executed = Path(home) / "executed.ipynb"
    command = [*NBCONVERT, "notebook", "--execute", "--ExecutePreprocessor.timeout=300",
               "--ExecutePreprocessor.kernel_name=python3", "--output", str(executed), str(notebook)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{notebook} failed:\n{done.stderr}")
    return json.loads(executed.read_text()), executed, environment


def require_outputs(notebook, stored):
    """What is committed shows its pictures to whoever only looks, and nothing of the machine that made them."""
    size = Path(notebook).stat().st_size
    code = [cell for cell in stored["cells"] if cell["cell_type"] == "code"]
    outputs = [output for cell in code for output in cell["outputs"]]
    problems = [
        size > 500_000 and f"has {size} bytes, and 500000 are enough",
        [cell["execution_count"] for cell in code] != list(range(1, len(code) + 1)) and "was not executed from top to bottom",
        not any("image/png" in output.get("data", {}) for output in outputs) and "has no pictures",
        any(output.get("name") == "stderr" or output["output_type"] == "error" for output in outputs) and "complains",
        any(path in json.dumps(outputs) for path in ("/home/", "/root/", "/work/", "/tmp/")) and "names folders of a machine",
    ]
    if any(problems):
        sys.exit("\n".join(f"{notebook} {problem}; ./dev notebook --save FILE.h5 renews it" for problem in problems if problem))


class Requests(HTMLParser):
    """What a browser would ask for to show a page, and how many pictures the page has in itself."""

    def __init__(self, page):
        super().__init__()
        self.asked, self.pictures = [], 0
        self.feed(page)
        self.asked += [address for address in re.findall(r"(?:url\(|@import)\s*[\"']?([^\"')\s;]+)", page) if not address.startswith("data:")]

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("src", "srcset", "data", "poster") or (tag == "link" and name == "href"):
                if not (value or "").startswith("data:"):
                    self.asked.append(f"<{tag} {name}={value}>")
                elif tag == "img":
                    self.pictures += 1


def main(notebook, results, pictures, html=None):
    if not Path(results).exists():
        sys.exit(f"{results} does not exist: run the study first")
    stored = json.loads(Path(notebook).read_text())
    require_outputs(notebook, stored)
    with tempfile.TemporaryDirectory(prefix="poslab-notebook-") as home:
        executed, path, environment = execute(notebook, results, home)
        outputs = [output for cell in executed["cells"] for output in cell.get("outputs", [])]
        complaints = ["".join(output["text"]) for output in outputs if output.get("name") == "stderr"]
        if complaints:
            sys.exit(f"{notebook} complained:\n" + "\n".join(complaints))
        drawn = [output["data"]["image/png"] for output in outputs if "image/png" in output.get("data", {})]
        sizes = [len(base64.b64decode(picture)) for picture in drawn]
        if len(sizes) < int(pictures) or min(sizes) < 10_000:
            sys.exit(f"{notebook} drew {len(sizes)} pictures of {sizes} bytes; {pictures} are expected")
        if html:
            page = [*NBCONVERT, "html", "--template", "page", f"--TemplateExporter.extra_template_basedirs={Path(notebook).parent}",
                    "--output", str(Path(html).resolve()), str(path)]
            subprocess.run(page, env=environment, check=True, capture_output=True)
            requests = Requests(Path(html).read_text())
            if requests.asked or requests.pictures < int(pictures):
                sys.exit(f"{html} shows {requests.pictures} pictures, and asks for {requests.asked}")


if __name__ == "__main__":
    main(*sys.argv[1:])
