"""Rules about Python: size, headers, where SQL and printing belong, honest types."""

import ast
import re
from collections.abc import Iterator

from tests.style.tree import Offence, SourceFile

FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 50

# Lower case or capitals throughout, as SQL is written; "Select a seat" is a sentence.
_SQL = re.compile(
    r"\s*(?:"
    r"(?:select|SELECT)\s"
    r"|(?:insert\s+into|INSERT\s+INTO)\s"
    r"|(?:update|UPDATE)\s+\S*\s*(?:as\s+\w+\s+|\w+\s+)?(?:set|SET)\b"
    r"|(?:delete\s+from|DELETE\s+FROM)\s"
    r"|(?:with|WITH)\s+(?:recursive\s+|RECURSIVE\s+)?\w+\s+(?:as|AS)\s+.{0,20}\("
    r"|(?:create|alter|drop|CREATE|ALTER|DROP)\s+"
    r"(?:table|schema|database|function|role|TABLE|SCHEMA|DATABASE|FUNCTION|ROLE)\s"
    r")"
)
_REASON = re.compile(r"#\s*any:\s*\w+")
_SKIPPED = re.compile(
    r"pytest\.(?:skip|xfail|importorskip)\b|mark\.(?:skip|skipif|xfail)\b|unittest\.skip|\.skip[T]est\b"
)


def check_file_length(file: SourceFile) -> list[Offence]:
    if len(file.lines) <= FILE_LINES_MAX:
        return []
    message = f"{len(file.lines)} lines; a file has at most {FILE_LINES_MAX}: split it by its nouns"
    return [Offence(file.path, FILE_LINES_MAX + 1, message)]


def check_function_length(file: SourceFile) -> list[Offence]:
    """Counts from `def` to the last line, less the docstring, which may be as long as it helps."""
    offences = []
    for node in file.nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1 - _docstring_lines(node)
            if lines > FUNCTION_LINES_MAX:
                message = f"{node.name}() has {lines} lines; at most {FUNCTION_LINES_MAX}"
                offences.append(Offence(file.path, node.lineno, message))
    return offences


def _docstring_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    if ast.get_docstring(node, clean=False) is None:
        return 0
    first = node.body[0]
    return (first.end_lineno or first.lineno) - first.lineno + 1


def check_header(file: SourceFile) -> list[Offence]:
    if (ast.get_docstring(file.tree) or "").strip():
        return []
    return [Offence(file.path, 1, "no header: say what the module is for, and what it guarantees")]


def check_sql_strings(file: SourceFile) -> list[Offence]:
    return [
        Offence(file.path, node.lineno, "SQL in a string: give it a name in a .sql file")
        for node in _strings(file)
        if _SQL.match(str(node.value))
    ]


def _strings(file: SourceFile) -> Iterator[ast.Constant]:
    for node in file.nodes:
        if not isinstance(node, ast.Constant) or id(node) in file.docstrings:
            continue
        if isinstance(node.value, str):
            yield node


def check_print(file: SourceFile) -> list[Offence]:
    return [
        Offence(file.path, node.lineno, "print(): only the command line and benchmarks print")
        for node in file.nodes
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "print"
    ]


def check_any(file: SourceFile) -> list[Offence]:
    return [
        Offence(file.path, line, "Any: name the type, or give the reason on the line: `# any: ...`")
        for line in sorted(set(_lines_with_any(file)))
        if not _REASON.search(file.lines[line - 1])
    ]


def _lines_with_any(file: SourceFile) -> Iterator[int]:
    """Lines that use `Any`, under whatever name it was imported; importing it offends nobody."""
    names = {"Any"}
    for node in file.nodes:
        if isinstance(node, ast.ImportFrom) and node.module in {"typing", "typing_extensions"}:
            names.update(alias.asname or "" for alias in node.names if alias.name == "Any")
    for node in file.nodes:
        used = getattr(node, "id", None) in names or getattr(node, "attr", None) == "Any"
        if used and isinstance(node, ast.Name | ast.Attribute):
            yield node.lineno


def check_public_names(file: SourceFile) -> list[Offence]:
    """`__all__` is written out, sorted, without repeats, and every name in it is bound."""
    for node in file.tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and _assigns(node, "__all__"):
            listed: list[str] = list(ast.literal_eval(node.value)) if node.value else []
            if listed != sorted(set(listed)):
                return [Offence(file.path, node.lineno, "__all__ is not sorted, or repeats a name")]
            unbound = sorted(set(listed) - set(_bound(file.tree)))
            if unbound:
                return [
                    Offence(file.path, node.lineno, f"__all__ names what is not here: {unbound}")
                ]
            return []
    return [Offence(file.path, 1, "no __all__: the public names are a list that one can read")]


def _assigns(node: ast.Assign | ast.AnnAssign, name: str) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(target, ast.Name) and target.id == name for target in targets)


def _bound(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def check_page_polls(file: SourceFile) -> list[Offence]:
    """Playwright hands its script to the page as text, to be evaluated at each poll; our pages'
    content security policy forbids that, so it fails as soon as it has to poll."""
    return [
        Offence(file.path, node.lineno, "wait_for_function(): expect(...) waits without eval")
        for node in file.nodes
        if isinstance(node, ast.Attribute) and node.attr == "wait_for_function"
    ]


def check_skipped_tests(file: SourceFile) -> list[Offence]:
    return [
        Offence(file.path, number, "a test that does not run proves nothing: mend it or remove it")
        for number, line in enumerate(file.lines, start=1)
        if _SKIPPED.search(line)
    ]
