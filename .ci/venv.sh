#!/bin/sh
# Makes .venv with the first Python that is new enough, or says in one line what to install.
set -eu

new_enough='import sys; sys.exit(sys.version_info < (3, 11))'

if .venv/bin/python -c "$new_enough; import pip" 2>/dev/null; then
    exit 0
fi

python=
for candidate in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11 python}; do
    if "$candidate" -c "$new_enough" 2>/dev/null; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    echo "dplda needs Python 3.11 or newer: install it (python.org, or your system's packages)," \
        "or name it: make app PYTHON=/path/to/python3.11" >&2
    exit 1
fi

if ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    echo "Python $version lacks venv or ensurepip: install them" \
        "(Debian and Ubuntu: sudo apt-get install -y python$version-venv), then run make again." >&2
    exit 1
fi

"$python" -m venv --clear .venv
