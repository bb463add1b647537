# The verbs of the project; bare `make` lists them.
PYTHON ?= python3
BIN := .venv/bin
# The environment of the product, and the same with every tool of the tests.
PRODUCT := .venv/.product
TOOLS := .venv/.tools
# The compiled catalogues of other languages, and their sources.
WORDS := shared/web/locale/zh_CN/LC_MESSAGES/arbiter.mo
PHRASES := $(wildcard shared/web/locale/*/LC_MESSAGES/*.po)
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check --no-compile --use-pep517
# Hundreds of the tests' processes start in half the time where nothing is compiled again, also where Python may not write it.
BYTECODE := $(BIN)/python -W ignore -m compileall -j 0
# Tests that share what their file makes once stay on one process.
PYTEST := $(BIN)/python -m tests.rewritten && $(BIN)/pytest -n 3 --dist loadgroup
COMPILE := $(BIN)/pip-compile --quiet --strip-extras --generate-hashes --allow-unsafe --no-emit-find-links --no-emit-index-url --build-deps-for editable

.DEFAULT_GOAL := help
.PHONY: help setup run stack compose-test fresh quick test test-tools test-all bytecode campaign mutants check check-types check-text prose bench docs messages picture lock

help: ## list the verbs
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 17

setup: $(TOOLS) $(WORDS) ## build .venv with every tool (needs Python 3.11+ and make)

$(PRODUCT): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Arbiter needs Python 3.11 or newer: make PYTHON=python3.11" >&2; exit 1; }
	@echo "Installing Arbiter into .venv, once."
	@echo "  1 of 3: creating the environment"
	@$(PYTHON) -m venv .venv
	@echo "  2 of 3: installing $$(grep -c '==' requirements.lock) packages"
	@$(INSTALL) --require-hashes -r requirements.lock
	@echo "  3 of 3: installing Arbiter"
	@$(INSTALL) --no-deps --no-build-isolation -e .
	@$(BYTECODE) -qq .venv/lib/*/site-packages/sgfmill # from Python 3.12 on, its first import would print a warning
	@touch $@

$(TOOLS): $(PRODUCT) requirements-dev.lock
	$(INSTALL) --require-hashes -r requirements-dev.lock
	@$(BYTECODE) -qq .venv/lib || true # some packages contain templates that are not Python
	@touch $@

$(WORDS): $(PHRASES) $(PRODUCT)
	@$(BIN)/python -m deploy.build.catalogues

run: $(PRODUCT) $(WORDS) ## play the sample tournament, print what happened, serve it until Ctrl-C: make run PORT=8000
	@echo "Playing the sample tournament ..."
	@exec $(BIN)/arbiter demo --serve$(if $(PORT), --port $(PORT))

stack: $(TOOLS) $(WORDS) ## the distributed system as processes: make stack PORT=8080 FOLDER=/var/tmp/arbiter PROFILE=production
	@exec $(BIN)/python -m tests.stack.stack$(if $(PORT), --port $(PORT))$(if $(FOLDER), --folder $(FOLDER))$(if $(PROFILE), --profile $(PROFILE))

compose-test: $(TOOLS) $(WORDS) ## docker-compose.yml from a clean clone, with podman as root: make compose-test CACHE=/var/tmp/arbiter-compose PROFILE=production
	$(BIN)/python -m tests.deploy.compose_story$(if $(CACHE), --cache $(CACHE))$(if $(PROFILE), --profile $(PROFILE))

fresh: ## clone, make run and make test in a new Debian, as root: make fresh PROGRAMS=1 SUITE=trixie ONLY=tests/http CACHE=/var/tmp/arbiter-fresh
	@$(PYTHON) -m tests.deploy.fresh$(if $(CACHE), --cache $(CACHE))$(if $(SUITE), --suite $(SUITE))$(if $(ONLY), --only "$(ONLY)")$(if $(PROGRAMS), --tools)

quick: $(TOOLS) $(WORDS) ## rules, HTTP and pages, without slow tests
	$(PYTEST) --tier quick

test: $(TOOLS) $(WORDS) bytecode ## quick, and stories, contracts, golden logs, forms and proofs
	$(PYTEST) --tier test

test-all: $(TOOLS) $(WORDS) bytecode ## every test, with everything that takes long (what CI runs)
	$(PYTEST)

bytecode: $(PRODUCT)
	@$(BYTECODE) -q shared services deploy tests

test-tools: $(TOOLS) ## install the programs that some tests need: Chromium, Node.js, PostgreSQL, Java, nginx ... (Debian; root or sudo)
	@.ci/tools

campaign: $(TOOLS) $(WORDS) ## play many random cases; without NAME= it lists the campaigns: make campaign NAME=histories N=100000 SEED=1
	@$(if $(BBP),BBP=$(BBP)) $(BIN)/python -m tests.campaigns "$(NAME)" $(or $(N),0) $(or $(SEED),0)

mutants: $(TOOLS) $(WORDS) ## plant 100 faults and omit the steps of CONTRIBUTING, and report what no test finds: make mutants ONLY=contributing
	@$(BIN)/python -m tests.mutants $(ONLY)

check: $(TOOLS) ## ruff, mypy --strict, the layers, banned phrases
	@$(MAKE) --no-print-directory -j 2 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target) check-types check-text

check-types:
	$(BIN)/mypy

check-text:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/python -m tests.prose

prose: $(TOOLS) $(WORDS) ## lower the baseline of banned phrases after texts were rewritten
	$(BIN)/python -m tests.prose lower

bench: $(TOOLS) $(WORDS) ## measure each part against a peer or floor, and write deploy/docs/performance.md: make bench ONLY=ranking BBP=PROGRAM
	$(if $(BBP),ARBITER_BBP=$(BBP)) $(BIN)/python -m tests.bench $(ONLY)

docs: $(TOOLS) $(WORDS) ## write deploy/openapi/*.json, the events of deploy/asyncapi.yaml, their shapes, the table of rules, the page of contradictions, the sentences of verify.html and the tables of figures
	$(BIN)/python -m deploy.build.problem_sites
	$(BIN)/python -m deploy.build.examples_build
	$(BIN)/python -m deploy.build.problem_codes
	$(BIN)/python -m deploy.build.openapi_build
	$(BIN)/python -m deploy.build.asyncapi_build
	$(BIN)/python -m deploy.build.shapes_build
	$(BIN)/python -m tests.rows.table
	$(BIN)/python -m deploy.build.contradictions_build
	$(BIN)/python -m deploy.build.verify_page
	$(BIN)/python -m tests.attacks.holes
	$(BIN)/python -m tests.figures
	$(BIN)/python -m tests.figures.dependencies

picture: $(TOOLS) $(WORDS) ## take the README's picture again (needs Chromium with its driver)
	$(BIN)/python -m tests.browser.picture

messages: $(TOOLS) ## bring the catalogues of other languages up to date with the source, and compile them
	$(BIN)/python -m deploy.build.catalogues update

lock: $(TOOLS) ## lock the dependencies again, with hashes: those of the product, and those of tests and checks
	$(COMPILE) -o requirements.lock pyproject.toml
	$(COMPILE) --extra dev -c requirements.lock -o requirements-dev.lock pyproject.toml
