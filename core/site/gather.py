# SPDX-License-Identifier: Apache-2.0
"""The pages of the site as Sphinx reads them: the repository's Markdown at its own paths with its pictures, the
notebooks, and a page for every source file and every folder that one of them links to."""

import os
import re
from pathlib import Path

from nbconvert.exporters import MarkdownExporter

from navigation import HOME, NAMED, home, toctrees

FOLDERS = ("core", "experiments", "plugins", "results", "tests")
NO_PAGES = ("core/scaffold/templates/", "results/runs/")  # templates of pages, and what runs leave
PICTURES = (".png", ".svg")
NO_SOURCES = (".md", ".ipynb", *PICTURES)
LANGUAGES = {".cpp": "cpp", ".hpp": "cpp", ".h": "c", ".py": "python", ".toml": "toml", ".json": "json", ".sub": "ini"}
CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def as_page(path: Path, name: str) -> str:
    """A source file as Markdown; only what is in the menu is in the search, too."""
    text = path.read_text()
    fence = "`" * (max((len(run) for run in re.findall(r"`+", text)), default=2) + 3)
    language = LANGUAGES.get(path.suffix, "python" if path.name == "Snakefile" else "none")
    unsought = "" if name in NAMED else "---\norphan: true\nnosearch: true\n---\n"
    return f"{unsought}# `{path.name}`\n\n{fence}{language}\n{text}\n{fence}\n"


def notebook_as_page(path: Path) -> tuple[str, dict[str, bytes]]:
    """A notebook with what it printed, as Markdown, and its pictures by name."""
    resources = {"unique_key": path.stem, "output_files_dir": f"{path.stem}_files"}
    text, made = MarkdownExporter().from_filename(str(path), resources=resources)
    return text, made["outputs"]


class Gathering:
    def __init__(self, source: Path, pages: Path) -> None:
        self.source, self.pages = source, pages
        self.origins: dict[Path, str] = {}  # of a page for Sphinx, the file of the repository

    def origin_of(self, page: Path) -> str:
        return self.origins.get(page, str(page))

    def run(self, made: dict[str, str]) -> None:
        """With `made`, pages that have no file in the repository."""
        documents = self.documents()
        linked = sorted({target for document in documents for target in self.targets_of(document)})
        folders = [target for target in linked if target.is_dir()]
        within = {entry for folder in folders for entry in folder.iterdir() if not entry.name.startswith(".")}
        sources = {path for path in {*linked, *within} if path.is_file() and path.suffix not in NO_SOURCES}
        self.pages.mkdir(parents=True, exist_ok=True)
        texts = {self.name_of(document): (document, self.text_of(document)) for document in documents}
        code = {name: (path, as_page(path, name)) for path in sources for name in (f"{self.relative(path)}.md",)}
        for notebook in self.files((".ipynb",)):
            text, pictures = notebook_as_page(notebook)
            texts[f"{self.relative(notebook)}.md"] = notebook, text
            for name, picture in pictures.items():
                self.put(notebook, os.path.join(os.path.dirname(self.relative(notebook)), name), picture)
        texts |= {name: (self.pages / name, text) for name, text in made.items()}
        trees = toctrees([*texts, *(name for name in code if name in NAMED)])
        texts |= code
        for name, (origin, text) in texts.items():
            self.put(origin, name, (home(text) if name == HOME else text) + trees.get(name, ""))
        for folder in folders:
            self.put(folder, f"{self.relative(folder)}.md", self.listing(folder, documents, sources, folders))
        for path in self.files(PICTURES):
            self.put(path, self.relative(path), path.read_bytes())
        self.forget()

    def relative(self, path: Path) -> str:
        return os.path.relpath(path, self.source)

    def files(self, suffixes: tuple[str, ...]) -> list[Path]:
        found = [path for folder in FOLDERS for path in (self.source / folder).rglob("*") if path.suffix in suffixes]
        return [path for path in sorted(found) if not self.relative(path).startswith(NO_PAGES)]

    def documents(self) -> list[Path]:
        return sorted(self.source.glob("*.md")) + self.files((".md",))

    def name_of(self, document: Path) -> str:
        name = self.relative(document)
        return HOME if name == "README.md" else name

    def text_of(self, document: Path) -> str:
        """With the site's name of the README in links to it."""
        def renamed(link: re.Match[str]) -> str:
            to_readme = os.path.normpath(document.parent / link[1].partition("#")[0]) == str(self.source / "README.md")
            return link[0].replace("README.md", HOME) if to_readme else link[0]
        return LINK.sub(renamed, document.read_text())

    def targets_of(self, document: Path) -> set[Path]:
        """Those that are there; Sphinx names the others."""
        links = {link.partition("#")[0] for link in LINK.findall(CODE.sub("", document.read_text()))}
        found = {Path(os.path.normpath(document.parent / link)) for link in links if link and "://" not in link}
        return {target for target in found if target.exists() and target.is_relative_to(self.source)}

    def listing(self, folder: Path, documents: list[Path], sources: set[Path], folders: list[Path]) -> str:
        """What lies in a folder; of folders beneath it that have no page, the Markdown that is in them."""
        def link(path: Path, text: str) -> str:
            return f"[{text}]({os.path.relpath(path, folder.parent)})"
        lines = [f"---\norphan: true\n---\n# `{self.relative(folder)}/`\n"]
        for path in sorted(folder.iterdir(), key=lambda path: (path.is_file(), path.name)):
            if path.name.startswith((".", "__")):
                continue
            if path in folders or path in sources or path in documents:
                lines.append(f"- {link(path, f'`{path.name}`')}")
            elif path.is_dir():
                beneath = [document for document in documents if document.is_relative_to(path)]
                named = ", ".join(link(document, document.name.replace("_", r"\_")) for document in beneath[:6])
                lines.append(f"- `{path.name}/`" + (f": {named}" if named else ""))
            else:
                lines.append(f"- `{path.name}`")
        return "\n".join(lines) + "\n"

    def put(self, origin: Path, name: str, content: str | bytes) -> None:
        """Writes where something has changed: Sphinx makes anew what is newer."""
        page = self.pages / name
        page.parent.mkdir(parents=True, exist_ok=True)
        data = content.encode() if isinstance(content, str) else content
        if not page.is_file() or page.read_bytes() != data:
            page.write_bytes(data)
        self.origins[page] = self.relative(origin)

    def forget(self) -> None:
        for page in [path for path in self.pages.rglob("*") if path.is_file() and path not in self.origins]:
            page.unlink()
