# A Python package with tests and a command.
mkdir -p app/calc app/tests app/data
cd app
git init -q
cat >pyproject.toml <<'TOML'
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "calc"
version = "0.3.0"

[project.scripts]
calc = "calc.cli:main"

[tool.setuptools]
packages = ["calc"]
TOML
printf '"""A calculator."""\n\nfrom .core import add, divide\n\n__all__ = ["add", "divide"]\n' >calc/__init__.py
printf 'def add(a, b):\n    return a + b\n\n\ndef divide(a, b):\n    if b == 0:\n        raise ZeroDivisionError("b must not be 0")\n    return a / b\n' >calc/core.py
printf 'import sys\n\nfrom .core import add\n\n\ndef main():\n    print(add(*map(float, sys.argv[1:3])))\n\n\nif __name__ == "__main__":\n    main()\n' >calc/cli.py
printf 'import unittest\n\nfrom calc import add, divide\n\n\nclass TestCore(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n\n    def test_divide(self):\n        with self.assertRaises(ZeroDivisionError):\n            divide(1, 0)\n' >tests/test_core.py
: >tests/__init__.py
printf 'name,team,score\nada,red,90\ngrace,blue,85\nlinus,red,70\nmargaret,blue,95\n' >data/scores.csv
printf '__pycache__/\n*.pyc\n.venv/\n.pytest_cache/\n*.egg-info/\nbuild/\n' >.gitignore
git add -A
GIT_AUTHOR_DATE=2026-03-01T10:00:00Z GIT_COMMITTER_DATE=2026-03-01T10:00:00Z git commit -qm 'Start'
