import gc
import sys
from types import SimpleNamespace

from benchmarks.docstrings import sources


def test_packages_are_the_requirements_and_the_standard_library():
    names = [package.name for package in sources.packages()]
    assert names == sorted(set(names))
    assert {"python", "numpy", "scikit-learn", "jinja2"} <= set(names)
    assert "dplda" not in names
    assert "pytest" not in names, "what only tests need would change the corpus"


def test_what_another_python_would_need_is_left_out_where_it_is_installed(monkeypatch):
    """As ``importlib-metadata`` is, which the extra ``dask`` brings along and another package names for Python 3.7."""
    required = ["needed>=1", "old; python_version < '3.8'", "spare; extra == 'more'", "here[x] ; python_version >= '3'"]
    installed = {"numpy": required, "needed": None, "old": None, "spare": None, "here": ["Old_er; sys_platform == '?'"]}

    def distribution(name):
        return SimpleNamespace(version="1", requires=installed[name])

    monkeypatch.setattr(sources, "ROOTS", ("numpy",))
    monkeypatch.setattr("importlib.metadata.distribution", distribution)
    assert [package.name for package in sources.packages()] == ["here", "needed", "numpy", "python"]


def test_source_files_are_those_that_people_read():
    by_name = {package.name: package for package in sources.packages()}
    numpy_files = sources.source_files(by_name["numpy"])
    assert numpy_files == sorted(numpy_files)
    assert numpy_files[0].is_file()
    assert not any({"tests", "testing"} & set(path.parts[-4:]) for path in numpy_files)
    plotly_files = [path.as_posix() for path in sources.source_files(by_name["plotly"])]
    assert plotly_files
    assert not any("/graph_objs/" in path for path in plotly_files)
    standard = [path.name for path in sources.source_files(by_name["python"])]
    assert "textwrap.py" in standard
    assert len(standard) < 2000, "site-packages lies inside the standard library's folder"


def test_all_docstrings_of_a_file_in_order_without_running_it(tmp_path):
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
    path.write_text('"""Fine."""\ndef broken(:')
    assert sources.docstrings(path) == []
    path.write_bytes(b'"""\xff\xfe"""')
    assert sources.docstrings(path) == []
    path.write_bytes(b'"""nul \0"""')
    assert sources.docstrings(path) == []
    assert gc.isenabled()
    assert "module" not in sys.modules
