#!/bin/sh
# Writes the list of components of requirements.lock, with versions and hashes, as CycloneDX JSON: sbom.sh FILE.
# The tool runs in an environment of its own, and is no part of the project.
set -eu
cd "$(dirname "$0")/.."

mkdir -p "$(dirname "$1")"
PYTHONWARNINGS=ignore .venv/bin/uv tool run --quiet --from cyclonedx-bom==7.5.0 cyclonedx-py requirements \
    --pyproject pyproject.toml --output-reproducible --of JSON --output-file "$1" requirements.lock
