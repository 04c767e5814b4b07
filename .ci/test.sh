#!/bin/sh
# All checks with the Python given: style and types beside the tests, then, with nothing beside them, the tests that
# measure time. Goes on to the end where something fails, and fails itself then.
set -u
cd "$(dirname "$0")/.."

said=$(mktemp)
"${MAKE:-make}" --no-print-directory lint >"$said" 2>&1 &
lint=$!
trap 'kill "$lint" 2>/dev/null; rm -f "$said"' EXIT
trap 'exit 130' INT TERM

# Bytecode is kept: a run starts some eighty processes, each of which would compile all that it imports. A new
# checkout has none: a first collection makes it, before several processes collect at once.
unset PYTHONDONTWRITEBYTECODE
test -d tests/__pycache__ || "$1" -m pytest --collect-only --quiet >/dev/null 2>&1

failed=0
# A process takes what conftest.py puts together, in its order.
"$1" -m pytest -m 'not timing' --numprocesses 3 --dist loadscope --no-loadscope-reorder || failed=1
wait "$lint" || failed=1
cat "$said"
"$1" -m pytest -m timing $(grep -rl 'mark\.timing' tests) || failed=1
exit "$failed"
