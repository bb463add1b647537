# The verbs of the project; bare `make` lists them.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.ready

.DEFAULT_GOAL := help
.PHONY: help setup run stack test faults verify-pairings check bench docs lock

help: ## list the verbs
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 17

setup: $(STAMP) ## build .venv from the locked dependencies (needs Python 3.11+ and make)

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Arbiter needs Python 3.11 or newer" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(STAMP)

run: setup ## play the sample tournament, print what happened, then serve it
	@exec $(BIN)/arbiter demo --serve

stack: setup ## the distributed system as processes: Kafka, PostgreSQL, nginx, four services and workers
	@exec $(BIN)/python -m deploy.local.stack

test: setup ## every test
	$(BIN)/pytest -n 2 --dist loadgroup

faults: setup ## kill and stop everything while callers write: make faults N=500 SEED=7
	ARBITER_FAULTS=$(or $(N),40) $(if $(SEED),ARBITER_SEED=$(SEED)) $(BIN)/pytest -s tests/faults/test_campaign.py

verify-pairings: setup ## simulate competitions of every format and judge each round: make verify-pairings N=2000 SEED=1
	$(BIN)/python -m tests.pairings $(or $(N),2000) $(or $(SEED),1)

check: setup ## ruff, mypy --strict, the layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: setup ## what it costs, as ratios to a floor measured in the same run
	$(BIN)/python -m tests.bench

docs: setup ## write deploy/openapi/*.json from the schemas
	$(BIN)/python -m deploy.openapi_build

lock: ## lock the dependencies anew, with hashes
	$(BIN)/pip-compile --quiet --strip-extras --generate-hashes --allow-unsafe --extra dev -o requirements.lock pyproject.toml
