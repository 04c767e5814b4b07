# make app   start the dashboard (first run: about half a minute to install; STREAMLIT_SERVER_HEADLESS=true opens no browser)
# make test  everything: ruff, mypy, unit, property, page and browser tests, on all processors
# make lowest, make newest  the tests without a browser, in a .venv of their own with the oldest or the newest packages
#            that pyproject.toml allows (PYTHON=python3.13 names the interpreter, TESTS=tests/core a part)
# make sbom  write the list of components of requirements.lock to dist/dplda.cdx.json (CycloneDX)
# make release  write wheel, source, list of components and signed checksums to dist (SIGN_WITH=/path/to/a/key/of/OpenSSH)
# make lock  write the lock files anew from pyproject.toml (UPGRADE=--upgrade takes newer versions)

SHELL := /bin/sh
PY := .venv/bin/python
UV := .venv/bin/uv
GET_UV := .ci/venv.sh && $(PY) -m pip --disable-pip-version-check --quiet install --require-hashes -r requirements-uv.lock
INSTALL := $(UV) pip install --python $(PY) --quiet

# A stamp is named after what it depends on: same locks and same folder, nothing to install.
# A .venv whose Python is gone takes its stamps with it.
$(shell test -x $(PY) || rm -f .venv/.app-* .venv/.test-*)
KEY := $(shell { pwd; cat pyproject.toml requirements-uv.lock requirements.lock requirements-test.lock; } | cksum | cut -d' ' -f1)
APP := .venv/.app-$(KEY)
TEST := .venv/.test-$(KEY)

.PHONY: app test lowest newest sbom release lint format lock clean

app: $(APP)
	@$(PY) -m dplda app $(if $(PORT),--port $(PORT))

test: $(TEST)
	@CHROMIUM="$$(.ci/chromium.sh)" && export CHROMIUM && MAKE="$(MAKE)" .ci/test.sh $(PY)

lowest newest:
	@$(GET_UV)
	@.ci/versions.sh $@ $(or $(PYTHON),$(PY)) $(TESTS)

sbom:
	@$(GET_UV)
	@.ci/sbom.sh dist/dplda.cdx.json

release: $(APP)
	@.ci/release.sh $(PY) $(SIGN_WITH)

lint: $(TEST)
	$(PY) -m ruff check
	$(PY) -m ruff format --check
	$(PY) -m mypy

format: $(TEST)
	$(PY) -m ruff check --fix
	$(PY) -m ruff format

$(APP):
	@$(GET_UV)
	@echo "Installing into .venv from requirements.lock: about half a minute, once."
	@$(INSTALL) --require-hashes -r requirements.lock
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@rm -f .venv/.app-* && touch $@

$(TEST): | $(APP)
	@echo "Installing what the tests need from requirements-test.lock."
	@$(INSTALL) --require-hashes -r requirements-test.lock
	@rm -f .venv/.test-* && touch $@

# The test lock is resolved first; the other is cut from it, so that both name the same versions.
COMPILE = $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate $(UPGRADE)
PROJECT = pyproject.toml --group build

lock:
	@$(GET_UV)
	echo uv | $(COMPILE) --output-file requirements-uv.lock -
	$(COMPILE) $(PROJECT) --extra test --output-file requirements-test.lock
	$(COMPILE) $(PROJECT) --constraint requirements-test.lock --output-file requirements.lock

clean:
	rm -rf .venv .venv-* .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
