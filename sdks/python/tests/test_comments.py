"""Everything that the package exports has a docstring, as have its fields and methods."""

import ast
import inspect
import unittest
from typing import Iterator, Tuple

import souk


def declared(owner: type) -> Iterator[Tuple[str, bool]]:
    """Yields the public fields and methods that a class declares, and whether each has a docstring."""
    tree = ast.parse(inspect.getsource(owner)).body[0]
    assert isinstance(tree, ast.ClassDef)
    for node, following in zip(tree.body, [*tree.body[1:], None]):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if not any(isinstance(it, ast.Name) and it.id == "overload" for it in node.decorator_list):
                yield node.name, ast.get_docstring(node) is not None
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name):
                yield target.id, isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)


class Comments(unittest.TestCase):
    def test_everything_public_has_a_docstring(self) -> None:
        missing = []
        seen = 0
        for name in souk.__all__:
            value = getattr(souk, name)
            if not inspect.isclass(value) and not inspect.isfunction(value):
                continue
            # Data classes and enumerations without a docstring get one from their fields.
            members = [(name, ast.get_docstring(ast.parse(inspect.getsource(value)).body[0]) is not None)]
            for owner in value.__mro__ if inspect.isclass(value) else []:
                if owner.__module__.split(".")[0] == "souk":
                    members += [(f"{name}.{member}", has) for member, has in declared(owner) if member[0] != "_"]
            seen += len(members)
            missing += [member for member, has in members if not has]
        self.assertGreater(seen, 250)
        self.assertEqual(missing, [])


if __name__ == "__main__":
    unittest.main()
