# Every command sets up what it needs; a second run finds it in place.
VENV := .venv
BIN := $(VENV)/bin
PYTHON ?=
DATA ?= data
FAST := $(addprefix tests/,architecture domain kit planning spreadsheets storage webhooks wire)
export PYTHON
STEP := $(BIN)/python scripts/step.py
PIP := $(BIN)/python -m pip install --disable-pip-version-check --no-input --progress-bar off

.PHONY: help install run test test-fast test-full check format lint imports types lock bench clean describe breaking fuzz torture under-fire load coverage-page docs audit web web-check lint-description packages release

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# Clearing a link would empty the environment that it points to, which belongs to another checkout.
$(VENV)/.created: scripts/find-python
	@if [ -L $(VENV) ]; then echo "$(VENV) is a link to $$(readlink $(VENV)): remove it first" >&2; exit 1; fi
	@python=$$(sh scripts/find-python) && \
	  "$$python" scripts/step.py "Making a Python environment in $(VENV)" -- "$$python" -m venv --clear $(VENV)
	@touch $@

# Packages are counted when pip finds them, and again when they are in place.
$(VENV)/.packages: $(VENV)/.created requirements/run.txt pyproject.toml
	@$(STEP) "Installing the packages of requirements/run.txt" --count "^Collecting " \
	  --files "$(VENV)/lib/python3*/site-packages/*.dist-info" --of $$(grep "^[^ ]*==" requirements/run.txt | grep -vc "== .win32") \
	  -- $(PIP) --require-hashes -r requirements/run.txt
	@$(STEP) "Installing Roundsman" -- $(PIP) --no-deps --no-build-isolation -e .
	@$(STEP) "Compiling Python files" -- $(BIN)/python -m compileall -q src
	@touch $@

# Tests and whoever measures want every kernel; a server that is just tried out compiles them itself.
$(VENV)/.run: $(VENV)/.packages
	@$(STEP) "Compiling the planner for this machine, once: a few minutes" \
	  --show "[0-9]+ of [0-9]+ kernels" -- $(BIN)/python -m roundsman.cli.preparing
	@touch $@

$(VENV)/.dev: $(VENV)/.run requirements/dev.txt
	@$(STEP) "Installing the tools of tests and checks" --count "^Collecting " \
	  --files "$(VENV)/lib/python3*/site-packages/*.dist-info" \
	  -- $(PIP) --require-hashes -r requirements/dev.txt
	@touch $@

$(VENV)/.bench: $(VENV)/.dev requirements/bench.txt
	@$(STEP) "Installing the engines to compare with" --count "^Collecting " \
	  --files "$(VENV)/lib/python3*/site-packages/*.dist-info" \
	  -- $(PIP) --require-hashes -r requirements/bench.txt
	@touch $@

$(VENV)/.docs: $(VENV)/.dev requirements/docs.txt
	@$(STEP) "Installing what builds the documentation" --count "^Collecting " \
	  --files "$(VENV)/lib/python3*/site-packages/*.dist-info" \
	  -- $(PIP) --require-hashes -r requirements/docs.txt
	@touch $@

$(VENV)-audit/.ready: requirements/audit.txt scripts/find-python
	python=$$(sh scripts/find-python) && "$$python" -m venv --clear $(VENV)-audit
	$(VENV)-audit/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/audit.txt
	@touch $@

audit: $(VENV)-audit/.ready  ## compare the locked versions with published advisories (needs the network)
	for set in run dev docs bench; do \
	  $(VENV)-audit/bin/pip-audit --strict --disable-pip --no-deps --progress-spinner off -r requirements/$$set.txt || exit 1; \
	done

install: $(VENV)/.run  ## set up the service, nothing more

run: $(VENV)/.packages  ## set up and start the service with a demo organization
	@echo "Starting the service; Ctrl-C stops it"
	@$(BIN)/roundsman serve --demo --data $(DATA)

# One worker more than cores: a fifth of the time the others wait for a server, a browser or a clock.
test: $(VENV)/.dev  ## set up and pass every test that a change can break
	$(BIN)/python -m pytest -n $$(( $$(nproc 2>/dev/null || echo 2) + 1 )) --dist worksteal

test-fast: $(VENV)/.dev  ## what to run after every edit: pure tests, and storage on SQLite
	$(BIN)/python -m pytest -n auto --dist worksteal --only-sqlite $(FAST)

tests/storefronts/vendure/node_modules: tests/storefronts/vendure/package-lock.json
	cd tests/storefronts/vendure && npm ci --no-audit --no-fund && npm rebuild better-sqlite3
	touch $@

tests/storefronts/medusa/node_modules: tests/storefronts/medusa/package-lock.json
	cd tests/storefronts/medusa && npm ci --ignore-scripts --no-audit --no-fund
	touch $@

tests/sdk/n8n/node_modules: tests/sdk/n8n/package-lock.json
	cd tests/sdk/n8n && npm ci --ignore-scripts --no-audit --no-fund
	touch $@

# Among what n8n's types come with is native code, which is nobody's need here and would be compiled.
sdk/n8n/dist: sdk/n8n/package.json sdk/n8n/tsconfig.json $(wildcard sdk/n8n/credentials/* sdk/n8n/nodes/*)
	cd sdk/n8n && npm install --ignore-scripts --no-package-lock --no-audit --no-fund && npm run build
	touch $@

test-full: $(VENV)/.dev tests/storefronts/vendure/node_modules tests/storefronts/medusa/node_modules tests/sdk/n8n/node_modules sdk/n8n/dist  ## before a release: every test on both databases, storms, outages, long fuzz
	$(BIN)/python -m pytest -n auto --dist worksteal --full
	$(MAKE) under-fire fuzz torture

check: format lint imports types docs test  ## what CI runs

format: $(VENV)/.dev  ## fail where the formatter would change a line
	$(BIN)/ruff format --check .

lint: $(VENV)/.dev
	$(BIN)/ruff check .

imports: $(VENV)/.dev  ## hold the floors of the house
	$(BIN)/lint-imports

types: $(VENV)/.dev
	$(BIN)/mypy

docs: $(VENV)/.docs  ## build the documentation site into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

packages: $(VENV)/.dev  ## build the clients as packages into dist/ (the one for TypeScript needs npm)
	cd sdk/python && "$(CURDIR)/$(BIN)/python" -m hatchling build -d "$(CURDIR)/dist"
	cd sdk/typescript && npm pack --pack-destination "$(CURDIR)/dist"

release: $(VENV)/.dev  ## build what is released of HEAD into dist/release (needs git and npm)
	$(BIN)/python -m scripts.release dist/release

bench: $(VENV)/.bench  ## compare our order with other engines on the same matrices
	$(BIN)/python -m bench

lock:  ## renew the hash-locked requirements (needs uv)
	sh scripts/lock

clean:  ## remove the environment, keep data
	rm -rf $(VENV) $(VENV)-audit

web/node_modules/.ready: web/package.json web/package-lock.json
	cd web && npm ci --no-audit --no-fund
	@touch $@

web: web/node_modules/.ready  ## build the console and the client for TypeScript (needs Node)
	cd web && npm run build && node_modules/.bin/tsc -p ../sdk/typescript

# Where there is no Node the built files are taken as they stand; CI has it.
web-check:  ## build the console beside the committed files and compare (where there is Node)
	@if command -v npm >/dev/null; then sh scripts/check-web; else echo "no Node here: the built console is not compared"; fi

describe: $(VENV)/.run  ## renew docs/openapi.json, the reference pages, the clients and the collection from the code
	$(BIN)/python scripts/describe.py
	$(BIN)/python -m scripts.reference
	$(BIN)/python -m scripts.clients
	$(BIN)/python -m scripts.collection
	@if [ -x web/node_modules/.bin/tsc ]; then web/node_modules/.bin/tsc -p sdk/typescript; \
	  else echo "no compiler here: run make web, which builds the client for TypeScript"; fi

lint-description: $(VENV)/.run  ## judge the descriptions by Spectral and Redocly (where there is Node)
	@sh scripts/check-description

SINCE ?= HEAD
breaking: $(VENV)/.run  ## name what breaks clients since a revision: make breaking SINCE=v0.1.0
	@git show "$(SINCE):docs/openapi.json" | $(BIN)/python -m scripts.breaking_changes - docs/openapi.json

fuzz: $(VENV)/.dev  ## try the interface against its own description for a long time
	$(BIN)/python -m tests.fuzz 25 1 2 3

torture: $(VENV)/.dev  ## kill, hold and starve servers and databases for half an hour, and write docs/torture.md
	$(BIN)/python -m tests.torture --write docs/torture.md

under-fire: $(VENV)/.dev  ## pass the acceptance tests on four processes while they are killed and replaced
	$(BIN)/python -m tests.acceptance.under_fire --processes 4 --kill-every 3

load: $(VENV)/.bench  ## play organizations through their day for ten minutes
	$(BIN)/python -m bench.load --rate 30 --minutes 10

coverage-page: $(VENV)/.run  ## renew docs/spec-coverage.md from the tests' marks
	$(BIN)/python scripts/spec_coverage.py
