#!/bin/sh
# Makes the files of a release in dist: wheel, source, list of components, checksums and their signature.
# release.sh PYTHON [PRIVATE-KEY]; the key is an absolute path.
set -eu
cd "$(dirname "$0")/.."

rm -rf dist
.venv/bin/uv build --quiet --no-build-isolation --python "$1" --out-dir dist .
rm -f dist/.gitignore
.ci/sbom.sh dist/dplda.cdx.json
.ci/sign.sh dist "${2:-}"
ls -1 dist
