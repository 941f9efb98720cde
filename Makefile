# Every target that needs the virtual environment makes it first; `make setup` alone is never required.
#
#   make demo  ARGS="--port 8080"    a box office with a week of shows in it, and its console
#   make test  PYTEST_ARGS="-k hold" every layer of tests
#   make explore                     looks for faults with new examples; SEED=n repeats a run
#   make check                       lint, format, types, house style
#   make web                         builds the pages, when something of them has changed
#   make screenshots                 takes the pictures in the docs anew
#   make bench ONLY=http-holds       benchmarks, all or one
#   make bench-figures               the same, published in docs/reference/figures.md
#   make sbom                        bills of materials, for Python and the pages
#   make audit                       known faults of what is locked (needs the indexes' data)
#   make bench-guard BASE=HEAD~1     is this tree slower than that commit? ROUNDS=n, ONLY=http-holds

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup web demo test test-browser explore check check-python check-web bench bench-figures bench-guard test-layers test-most test-races test-pages test-services test-servers test-ledger test-ledger-races lock sbom audit schema screenshots clean

# Where it is set, each of the some hundred Pythons of a run would compile the whole tree anew.
unexport PYTHONDONTWRITEBYTECODE

ARGS ?=
ONLY ?=
BASE ?=
ROUNDS ?=
PYTEST_ARGS ?=
BIN := .venv/bin
# scripts/setup writes the folder that it set up into this file when all is in place.
READY := .venv/.ready

# A run says the same as the one before; an exploration has a new seed each time.
ifndef SEED
SEED := 20300101
explore: SEED := $(shell od -An -N4 -tu4 /dev/urandom | tr -d ' ')
endif
EXPLORE_SECONDS ?= 240
PYTEST = BESPEAK_TEST_SEED=$(SEED) PYTHONHASHSEED=$(SEED) $(BIN)/python -m pytest $(PYTEST_ARGS)

# In the order of the tree: xdist would begin with the files that have most tests, so that those with one long test
# come last, and the other processors wait for them.
BY_FILE = --dist loadfile --no-loadscope-reorder

help:
	@sed -n 's/^#   //p' Makefile

setup: $(READY)

# A tree that was copied or moved carries a .venv whose scripts point to the old place: make it anew.
ifneq ($(shell cat $(READY) 2>/dev/null),$(CURDIR))
.PHONY: $(READY)
endif
$(READY): requirements-dev.lock pyproject.toml scripts/setup scripts/install-lock
	@scripts/setup

# The pages, in the folder from which the server gives them out.
SITE := src/bespeak/http/site/shop.html
WEB_SOURCES := docs/reference/seatmap.schema.json package-lock.json \
	$(wildcard docs/reference/*.md docs/reference/*/*.md) \
	$(shell find web packages -type f -not -path '*/node_modules/*' -not -path '*/dist/*' -not -name LICENSE -not -name '.*')

web: setup $(SITE)

$(SITE): $(READY) scripts/web $(WEB_SOURCES)
	@scripts/web
	@touch $(SITE)

demo: setup web
	@exec $(BIN)/bespeak demo --open $(ARGS)

test: setup web
	scripts/install-chromium
	PATH="$(CURDIR)/$(BIN):$$PATH" npm --loglevel=error run --silent test
	$(BIN)/python -m tests.harness.one_run $(MAKE) --no-print-directory --keep-going test-layers

# One after the other, also after a failure, so that one run says all that is wrong. A worker waits for its
# database for a part of its time, so the first layer has three of them on two processors. Races run after the
# others, so that none is beside a demo that loads or a crowd; so do the browser's tests, each of which has a
# server and a Chromium at work.
test-layers: test-most test-races test-pages

test-most:
	$(PYTEST) -n 3 $(BY_FILE) tests --ignore=tests/concurrency --ignore=tests/services \
		--ignore=tests/browser

test-races:
	$(PYTEST) -n 2 $(BY_FILE) tests/concurrency

test-pages:
	$(PYTEST) -n 2 $(BY_FILE) tests/browser

# Looks for what the examples of `make test` do not show, for so many seconds.
explore: setup
	@echo "seed $(SEED)  (repeat with: make explore SEED=$(SEED))"
	BESPEAK_TEST_FACTOR=4 BESPEAK_EXPLORE_SECONDS=$(EXPLORE_SECONDS) $(PYTEST) -n 2 -m explores \
		tests --ignore=tests/concurrency --ignore=tests/services --ignore=tests/browser

test-browser: setup web
	@scripts/install-chromium
	$(PYTEST) -n 2 $(BY_FILE) tests/browser

# Each half keeps one processor busy; what they say comes out one after the other.
check: setup web
	@$(MAKE) --no-print-directory --jobs=2 --keep-going --output-sync=target check-python check-web

check-python:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q tests/style

check-web:
	PATH="$(CURDIR)/$(BIN):$$PATH" npm --loglevel=error run --silent check

bench: setup web
	@exec $(BIN)/python -m benchmarks $(ONLY)

# A case that fails keeps its last figures there, and says so here.
bench-figures: setup web
	@status=0; $(BIN)/python -m benchmarks $(ONLY) || status=$$?; \
		$(BIN)/python -m benchmarks.figures && exit $$status

bench-guard: setup
	@exec $(BIN)/python -m benchmarks.guard $(if $(BASE),--base $(BASE)) \
		$(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(ONLY),--only $(ONLY))

test-services: setup
	scripts/install-package redis-server redis-server
	scripts/install-package postgresql '/usr/lib/postgresql/*/bin/initdb'
	scripts/install-package nginx /usr/sbin/nginx
	scripts/install-package caddy caddy
	scripts/install-stripe-mock
	scripts/install-kafka
	scripts/install-nats
	@$(MAKE) --no-print-directory --jobs=2 --keep-going --output-sync=target test-servers test-ledger
	$(MAKE) --no-print-directory test-ledger-races
	scripts/try-image

# Services are mostly waited for: two thirds of the processors are free for the ledger beside it.
test-servers:
	$(PYTEST) -n 2 $(BY_FILE) tests/services

# The engine, and its races, on Debian's PostgreSQL: another version plans in another way, and locks are taken
# in the order of names, which a language changes. Which of the engine's tests: tests/integration/conftest.py.
# What is about processes that are killed says nothing new there.
test-ledger:
	scripts/with-postgres env $(PYTEST) -n 2 $(BY_FILE) -m ledger tests/integration

test-ledger-races:
	scripts/with-postgres env $(PYTEST) -n 2 $(BY_FILE) tests/concurrency \
		--ignore=tests/concurrency/test_money_crashes.py --ignore=tests/concurrency/test_crash.py \
		--ignore=tests/concurrency/test_stadium.py

lock: setup
	$(BIN)/python scripts/lock

# What the program is made of, in CycloneDX: dist/sbom-python.json and dist/sbom-web.json.
sbom: setup
	@mkdir -p dist
	@scripts/sbom-python dist/sbom-python.json
	@PATH="$(CURDIR)/$(BIN):$$PATH" npm --loglevel=error sbom --sbom-format cyclonedx \
		--package-lock-only > dist/sbom-web.json
	@echo "wrote dist/sbom-python.json and dist/sbom-web.json"

# What is known to be unsafe among the locked versions, where the package indexes have that data.
audit: setup
	$(BIN)/pip-audit --require-hashes --disable-pip -r requirements.lock
	PATH="$(CURDIR)/$(BIN):$$PATH" npm --loglevel=error audit

schema: setup
	$(BIN)/python scripts/schema

screenshots: setup web
	@scripts/install-chromium
	$(BIN)/python -m tests.harness.one_run $(BIN)/python scripts/screenshots

clean:
	rm -rf .venv build dist node_modules packages/*/dist web/openapi/node_modules src/bespeak/http/site .mypy_cache .pytest_cache .ruff_cache .hypothesis .schemathesis
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
