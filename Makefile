# Everything a fresh machine needs: Python 3.11 or newer, and make. `make help` lists the targets.
# Paths are relative on purpose: they keep working where the checkout's own path has spaces.

PORT ?= 8501
# Not `?=`: some shells and conda export a HOST of their own. `make run HOST=0.0.0.0` still wins.
HOST := localhost
# Processes that run tests side by side; each one that meets a browser test starts its own app.
JOBS ?= 2
# More arguments for pytest: make test PYTEST="-k links".
PYTEST ?=

PY := .venv/bin/python
PIP := $(PY) -m pip install --quiet --disable-pip-version-check
# The address is printed by `run`; naming it also keeps the server from asking the internet for it.
SHOWN := $(if $(filter 0.0.0.0 ::,$(HOST)),localhost,$(HOST))
WORKS := $(shell $(PY) -c 'import sys, pip; print(sys.version_info >= (3, 11))' 2>/dev/null)

.DEFAULT_GOAL := help
.PHONY: help setup run test lint bench clean

help: ## say what the targets do
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-7s %s\n", $$1, $$2 }' Makefile

setup: .venv/installed-dev ## make .venv with everything that running and testing need

run: .venv/installed-app ## start the app on http://localhost:8501 (PORT=8502, HOST=0.0.0.0 change it)
	@$(PY) .ci/check_port.py "$(HOST)" "$(PORT)"
	@mkdir -p static
	@echo "N-fold is at http://$(SHOWN):$(PORT) in a moment; Ctrl+C stops it."
	@exec $(PY) -m streamlit run app.py --server.address "$(HOST)" --server.port "$(PORT)" \
	    --browser.serverAddress "$(SHOWN)"

# Style and tests both run to their end, so that one go shows everything that is wrong.
test: .venv/installed-dev ## check the style and run every test, with a browser
	@mkdir -p static
	@status=0; $(MAKE) --no-print-directory lint || status=1; \
	CHROMIUM="$$($(PY) -m tests.chromium)" $(PY) -m pytest -n $(JOBS) --dist loadfile $(PYTEST) \
	    || status=1; exit $$status

lint: .venv/installed-dev ## check style, formatting and types
	@status=0; $(PY) -m ruff check . || status=1; $(PY) -m ruff format --check . || status=1; \
	$(PY) -m mypy dpmodel || status=1; exit $$status

bench: .venv/installed-dev ## measure the speed of the model and of the screen
	@$(PY) -m tests.bench

clean: ## remove .venv and everything else that can be made again
	rm -rf .venv static .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# An environment that does not work (half made, or its Python is gone) is made anew.
ifneq ($(WORKS),True)
.PHONY: .venv/created
endif
.venv/created:
	@if [ "$(WORKS)" != True ]; then \
	    python=$$(.ci/find-python) || exit 1; \
	    echo "Making .venv with $$python."; "$$python" -m venv --clear .venv || exit 1; \
	fi; touch $@

.venv/installed-app: requirements.txt .venv/created
	@echo "Installing what the app needs into .venv; the first time takes a minute."
	@$(PIP) -r requirements.txt
	@touch $@

.venv/installed-dev: requirements.txt requirements-dev.txt .venv/created
	@echo "Installing what the app and its tests need into .venv; the first time takes a minute."
	@$(PIP) -r requirements-dev.txt
	@touch .venv/installed-app $@
