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

failed=0
"$1" -m pytest -m 'not timing' --numprocesses auto --maxprocesses 4 || failed=1
wait "$lint" || failed=1
cat "$said"
"$1" -m pytest -m timing $(grep -rl 'mark\.timing' tests) || failed=1
exit "$failed"
