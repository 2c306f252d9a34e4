# SPDX-License-Identifier: Apache-2.0
"""Which module of the Python package may import which, as core/architecture.md says it of the rooms in C++: here the imports of its
sources are compared with the layers below."""

import ast
import os
import sys
import unittest
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(os.environ["POSLAB_SOURCE_DIR"]) / "results/python/poslab"
sys.path.insert(0, str(PACKAGE.parent))
from poslab.needed import PACKAGES  # noqa: E402

FACADE = "poslab"  # what users import; nothing inside does


class Layer(NamedTuple):
    modules: tuple[str, ...]  # "league" is the package with all of its modules
    may_import: tuple[str, ...]  # layers above


LAYERS = {
    "words": Layer(("advice", "described", "needed", "texts"), ()),
    # Schemes of poslab, in this process, and the program.
    "library": Layer(("library", "program_file", "variant"), ("words",)),
    "torch": Layer(("torch", "torch_functions"), ("words", "library")),
    # A scheme in a Python file, in a process that poslab starts.
    "schemes": Layer(("autograd", "declaration", "floating_point", "imports", "instance", "members", "scheme_file", "serve"),
                     ("words", "library")),
    # Reading alone: a file's bytes, its cells and curves, its answers.
    "reading": Layer(("answers", "comparison", "curves", "damage", "earlier_schema", "flags", "grid", "labels", "points", "results_file",
                      "run_file", "table", "vetting"), ("words", "library")),
    # What is made of a file that was read.
    "pictures": Layer(("pictures",), ("words", "reading")),
    "league": Layer(("league",), ("words", "reading")),
    "report": Layer(("report",), ("words", "reading", "league")),
    "gallery": Layer(("gallery",), ("words", "reading", "league", "report")),
    "run": Layer(("run_api",), ("words", "reading", "pictures", "league", "report")),
    "program": Layer(("program",), ("words", "library", "run")),
}
OPTIONAL = {*PACKAGES, "tqdm"}  # not everybody has them: they, and what needs them, may be imported where they are used


class Import(NamedTuple):
    """One name of an import statement. `module` is poslab's own, as `league.scores`; else its package, as `numpy`."""

    module: str
    is_own: bool
    line: int
    in_function: bool
    for_types: bool  # under `if TYPE_CHECKING:`, where only mypy sees it


def name_of(file):
    """`league.scores`; `league` of its __init__.py, and nothing of the facade's."""
    parts = list(file.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {name_of(file): file for file in sorted(PACKAGE.rglob("*.py"))}


def targets(statement):
    """The modules that it imports, by their whole names: of `from a import b` a.b where that is a module of poslab's."""
    if isinstance(statement, ast.Import):
        return [alias.name for alias in statement.names]
    if statement.level:
        return [f"{FACADE}.{'.' * statement.level}{statement.module or ''}"]  # a relative one, which no layer has
    inside = [f"{statement.module}.{alias.name}" for alias in statement.names]
    return [whole if whole.removeprefix("poslab.") in FILES else statement.module for whole in inside]


def imports_in(source):
    found = []

    def walk(node, in_function, for_types):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for target in targets(node):
                package, _, rest = target.partition(".")
                is_own = package == FACADE
                found.append(Import(rest if is_own else package, is_own, node.lineno, in_function, for_types))
        in_function = in_function or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for_types = for_types or (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
        for child in ast.iter_child_nodes(node):
            walk(child, in_function, for_types)

    walk(ast.parse(source), False, False)
    return found


def layer_of(module):
    return next((name for name, layer in LAYERS.items() if module in layer.modules or module.partition(".")[0] in layer.modules), None)


class PythonArchitecture(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.imports = {name: imports_in(file.read_text()) for name, file in FILES.items()}
        cls.facade = cls.imports.pop("")

    def needs(self, name):
        """The optional packages that importing a module imports."""
        found, waiting = {name}, [name]
        packages = set()
        while waiting:
            for each in self.imports.get(waiting.pop(), self.facade):
                if each.in_function or each.for_types:
                    continue
                if not each.is_own:
                    packages.add(each.module)
                elif each.module not in found:
                    found.add(each.module)
                    waiting.append(each.module)
        return packages & OPTIONAL

    def test_every_module_is_in_one_layer(self):
        for name in self.imports:
            self.assertTrue(layer_of(name), f"{name} is in no layer")
        listed = [module for layer in LAYERS.values() for module in layer.modules]
        self.assertEqual(len(listed), len(set(listed)))
        self.assertLessEqual(set(listed), set(self.imports), "layers list modules that are not there")

    def test_a_layer_imports_only_layers_above_it(self):
        above = set()
        for name, layer in LAYERS.items():
            self.assertLessEqual(set(layer.may_import), above, name)
            above.add(name)
        for name, imports in self.imports.items():
            own = layer_of(name)
            for each in (each for each in imports if each.is_own and each.module):
                self.assertIn(layer_of(each.module), {own, *LAYERS[own].may_import}, f"{name}, line {each.line}, imports {each.module}")

    def test_no_module_imports_itself_by_way_of_others(self):
        finished, way = set(), []

        def visit(name):
            if name in way:
                self.fail(f"a circle: {' -> '.join([*way[way.index(name):], name])}")
            if name in finished or name not in self.imports:
                return
            way.append(name)
            for other in sorted({each.module for each in self.imports[name] if each.is_own}):
                visit(other)
            finished.add(way.pop())

        for name in self.imports:
            visit(name)

    def test_nothing_inside_imports_the_facade(self):
        for name, imports in self.imports.items():
            for each in (each for each in imports if each.is_own):
                self.assertTrue(each.module, f"{name}, line {each.line}, imports poslab itself: name the module that has it")
                self.assertIn(each.module, self.imports, f"{name}, line {each.line}")
                is_package = FILES[each.module].name == "__init__.py"
                self.assertFalse(is_package and name.startswith(f"{each.module}."), f"{name}, line {each.line}, imports its own package")

    def test_an_import_in_a_function_is_of_something_optional(self):
        for name, imports in self.imports.items():
            for each in (each for each in imports if each.in_function):
                brings = self.needs(each.module) if each.is_own else {each.module} & OPTIONAL
                self.assertTrue(brings - self.needs(name), f"{name}, line {each.line}, imports {each.module} in a function: above, it needs no "
                                                           "package that the module does not need anyhow")

    def test_the_facade_needs_nothing_optional(self):
        for each in (each for each in self.facade if not each.in_function and not each.for_types):
            packages = self.needs(each.module) if each.is_own else {each.module} & OPTIONAL
            self.assertFalse(packages, f"import poslab imports {each.module}")


if __name__ == "__main__":
    unittest.main()
