#!/bin/sh
# Builds the container, starts it as Docs say, and waits until it is healthy; says so where nothing can build it.
set -eu
cd "$(dirname "$0")/.."

for builder in podman docker; do
    if "$builder" info >/dev/null 2>&1; then
        break
    fi
    builder=
done
base=$(sed -n 's/^ARG BASE=//p' assets/docs/Containerfile)
if [ -z "$builder" ]; then
    echo 'No container is built: neither podman nor docker runs here. tests/test_container.py reads its file.'
    exit 0
fi
if ! "$builder" pull --quiet "$base" >/dev/null 2>&1; then
    echo "No container is built: $base cannot be fetched. tests/test_container.py reads its file."
    exit 0
fi

case $builder in
    podman) "$builder" build --quiet --format docker -t dplda-check -f assets/docs/Containerfile . ;;
    *) "$builder" build --quiet -t dplda-check -f assets/docs/Containerfile . ;;
esac
container=$("$builder" run --detach --rm --read-only --tmpfs /tmp --cap-drop all \
    --security-opt no-new-privileges dplda-check)
trap '"$builder" stop "$container" >/dev/null' EXIT
for _ in $(seq 60); do
    if "$builder" exec "$container" /opt/dplda/bin/python -c \
        "from urllib.request import urlopen as u; assert u('http://127.0.0.1:8501/_stcore/health').read() == b'ok'" \
        2>/dev/null; then
        echo 'The container is built, runs read-only and answers.'
        exit 0
    fi
    sleep 2
done
"$builder" logs "$container" >&2
echo 'The container does not answer within two minutes.' >&2
exit 1
