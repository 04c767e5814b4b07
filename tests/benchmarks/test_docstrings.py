import gc
import sys
from types import SimpleNamespace

from benchmarks.docstrings import sources


def test_corpus_packages_are_python_with_the_requirements():
    names = [package.name for package in sources.packages()]
    assert names == sorted(set(names))
    assert {"python", "numpy", "scikit-learn", "jinja2"} <= set(names)
    assert "dplda" not in names
    assert "pytest" not in names, "what only tests need would change the corpus"


def test_packages_of_another_python_are_left_out(monkeypatch):
    """As ``importlib-metadata`` is, which the extra ``dask`` brings along and another package names for Python 3.7."""
    required = [
        "needed>=1",
        "old; python_version < '3.8'",
        "spare; extra == 'more'",
        "here[x] ; python_version >= '3'",
    ]
    installed = {
        "numpy": required,
        "needed": None,
        "old": None,
        "spare": None,
        "here": ["Old_er; sys_platform == '?'"],
    }

    def distribution(name):
        return SimpleNamespace(version="1", requires=installed[name])

    monkeypatch.setattr(sources, "ROOTS", ("numpy",))
    monkeypatch.setattr("importlib.metadata.distribution", distribution)
    assert [package.name for package in sources.packages()] == ["here", "needed", "numpy", "python"]


def test_docstrings_of_a_file_come_in_order_without_running_it(tmp_path):
    path = tmp_path / "module.py"
    path.write_text(
        '"""Module."""\n'
        "raise SystemExit\n"
        "class One:\n"
        '    """Class.\n\n        More.\n    """\n'
        "    def two(self):\n"
        '        """Method."""\n'
        "        def three():\n"
        '            """Nested."""\n'
        "    async def four(self):\n"
        '        r"""Asynchronous \\d."""\n'
        "if True:\n"
        "    def five():\n"
        '        """Conditional."""\n'
        'x = """no docstring"""\n'
        'y = "\\d"\n'
    )
    assert sources.docstrings(path) == [
        "Module.", "Class.\n\nMore.", "Method.", "Nested.", "Asynchronous \\d.", "Conditional.",
    ]  # fmt: skip
    assert gc.isenabled()


def test_files_that_cannot_be_parsed_have_none(tmp_path):
    path = tmp_path / "module.py"
    assert sources.docstrings(path) == []
    for content in (b'"""Fine."""\ndef broken(:', b'"""\xff\xfe"""', b'"""nul \0"""'):
        path.write_bytes(content)
        assert sources.docstrings(path) == []
    assert gc.isenabled()
    assert "module" not in sys.modules
