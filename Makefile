# Every target that needs the virtual environment makes it first; `make setup` alone is never required.
#
#   make demo  ARGS="--port 8080"    a server with a real cinema in it
#   make test  PYTEST_ARGS="-k hold" every layer of tests, seeded; SEED=n repeats a run
#   make check                       lint, format, types, house style
#   make bench ONLY=http-holds       benchmarks, all or one

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup demo test check bench test-services lock schema clean

ARGS ?=
ONLY ?=
PYTEST_ARGS ?=
BIN := .venv/bin
# scripts/setup writes the folder that it set up into this file when all is in place.
READY := .venv/.ready

ifndef SEED
SEED := $(shell od -An -N4 -tu4 /dev/urandom | tr -d ' ')
endif
PYTEST = BESPEAK_TEST_SEED=$(SEED) $(BIN)/python -m pytest \
	--hypothesis-seed=$(SEED) $(PYTEST_ARGS)

help:
	@sed -n 's/^#   //p' Makefile

setup: $(READY)

# A tree that was copied or moved carries a .venv whose scripts point to the old place: make it anew.
ifneq ($(shell cat $(READY) 2>/dev/null),$(CURDIR))
.PHONY: $(READY)
endif
$(READY): requirements-dev.lock pyproject.toml scripts/setup
	@scripts/setup

demo: setup
	@exec $(BIN)/bespeak demo --open $(ARGS)

# Races want a quiet machine, so tests/concurrency runs alone and after the others.
test: setup
	@echo "seed $(SEED)  (repeat with: make test SEED=$(SEED))"
	$(PYTEST) -n 2 --dist loadfile tests --ignore=tests/concurrency --ignore=tests/services
	$(PYTEST) tests/concurrency

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q tests/style

bench: setup
	$(BIN)/python -m benchmarks $(ONLY)

test-services: setup
	scripts/install-redis
	scripts/install-stripe-mock
	@echo "seed $(SEED)  (repeat with: make test-services SEED=$(SEED))"
	$(PYTEST) tests/services

lock: setup
	$(BIN)/python scripts/lock

schema: setup
	$(BIN)/python scripts/schema

clean:
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .schemathesis
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
