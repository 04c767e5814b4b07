#!/bin/sh
# Tests with the oldest or the newest packages that pyproject.toml allows: versions.sh lowest|newest PYTHON [TESTS].
# They run without a browser, and without limits on time. Takes about a minute to install, and ten to test.
set -eu
cd "$(dirname "$0")/.."

leg=$1
python=$2
shift 2
case $leg in
    lowest) resolution=lowest-direct ;;
    newest) resolution=highest ;;
    *) echo "versions.sh: lowest or newest, got $leg" >&2; exit 2 ;;
esac
uv=.venv/bin/uv
version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
venv=.venv-$leg-$version
there=$venv/bin/python

"$uv" venv --quiet --clear --python "$python" "$venv"
# Packages are resolved for the program alone. The tools of the tests are then added, and change none of them.
"$uv" pip install --quiet --python "$there" --only-binary :all: --resolution "$resolution" \
    -r pyproject.toml --extra dask --group build
"$uv" pip freeze --quiet --python "$there" >"$venv/program.txt"
"$uv" pip install --quiet --python "$there" --only-binary :all: --constraint "$venv/program.txt" \
    -r pyproject.toml --extra test uv
"$uv" pip install --quiet --python "$there" --no-deps --no-build-isolation --editable .

echo "Python $version, $leg:" $(grep -E '^(numpy|scipy|scikit-learn|pandas|plotly|streamlit|pyarrow|opendp)=' "$venv/program.txt")
"$there" -W error -c 'import dplda
corpus = dplda.simulate(n_documents=2000, n_words=100, n_topics=2, alpha0=0.5, mean_length=50, seed=0)
print(dplda.RefinedLDA(n_topics=2, epsilon=3.0, random_state=0).fit(corpus).guarantee_.in_words())'

if [ $# -eq 0 ]; then
    set -- core spectral privacy flow theory evaluation methods experiments release cli corpus figures lessons pages ui
    for folder; do
        set -- "$@" "tests/$folder"
        shift
    done
    set -- "$@" tests/test_imports.py
fi
export OPENBLAS_NUM_THREADS=1
exec "$there" -m pytest --quiet -m 'not timing' "$@"
