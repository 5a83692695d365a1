# The commands of a checkout. `make help` lists them.
#
# Everything is installed into .venv, which a stamp file keeps from being made anew; `make clean` removes it.
# PYTHON=... chooses another Python (3.11 or newer) to make it with.

PYTHON ?= python3
BIN := .venv/bin
CASES := ../shared/cases/check.py
# Cases of the later issues are left out.
CASE_NUMBERS := 1-20,23,24,29-32,34,35
# By the config and not by the name, which case 30 follows with a tab and a comment.
CASE_EXPORT := lazybayes export {config} --what predictions --output {out}

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help quickstart test lint format bench regression reproduce-tables clean

help: ## list these commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 20

quickstart: .venv/.installed ## install into .venv and run the first experiment (six data sets, no download)
	"$(BIN)/lazybayes" run quickstart

test: .venv/.dev ## run the tests and the examples in docstrings
	"$(BIN)/python" -m pytest -q -n auto

lint: .venv/.dev ## check style and types
	"$(BIN)/ruff" check
	"$(BIN)/ruff" format --check --quiet
	"$(BIN)/mypy"

format: .venv/.dev ## bring the code into the form that `make lint` asks for
	"$(BIN)/ruff" check --fix
	"$(BIN)/ruff" format

bench: .venv/.dev ## measure speed and memory against Weka and scikit-learn (FAST=1: smaller, rougher)
	"$(BIN)/python" -B tests/benchmarks/bench_all.py $(if $(FAST),--fast)

regression: .venv/.installed ## try the small inputs with known outcomes in ../shared, where that folder is there
	@if [ -f "$(CASES)" ]; then \
	  PATH="$(CURDIR)/$(BIN):$$PATH" "$(BIN)/python" -B "$(CASES)" --only "$(CASE_NUMBERS)" --export "$(CASE_EXPORT)"; \
	else echo "make regression: skipped, since ../shared is not there"; fi

LBR := results/lbr2000
SEEDS := 2 3

reproduce-tables: .venv/.plot ## run the LBR paper's experiment and write its tables, figures and comparison
	"$(BIN)/lazybayes" run lbr2000 --quiet
	"$(BIN)/lazybayes" run lbr2000-uniform --quiet
	"$(BIN)/lazybayes" run lbr2000-other-data --quiet
	for seed in $(SEEDS); do "$(BIN)/lazybayes" run lbr2000 --seed $$seed --quiet || exit; done
	"$(BIN)/lazybayes" tables lbr2000 --output $(LBR)
	"$(BIN)/lazybayes" analyse rules lbr2000 --output $(LBR)
	"$(BIN)/lazybayes" analyse small-disjuncts lbr2000 --output $(LBR)
	"$(BIN)/lazybayes" figures lbr2000
	-"$(BIN)/lazybayes" compare lbr2000 lbr2000-uniform lbr2000-other-data --published lbr2000 \
	  --format markdown > $(LBR)/readings.md
	-"$(BIN)/lazybayes" compare lbr2000 $(SEEDS:%=lbr2000-seed-%) --published lbr2000 --format markdown > $(LBR)/seeds.md
	"$(BIN)/lazybayes" compare lbr2000 --published lbr2000 --output $(LBR)

clean: ## remove what these commands made, except results
	rm -rf .venv build dist tests/benchmarks/.build .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find lazybayes tests -name __pycache__ -prune -exec rm -rf {} +

.venv/.python:
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "lazybayes needs Python 3.11 or newer; $(PYTHON) is $$("$(PYTHON)" --version 2>&1 || true)." \
	       "Name another: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	"$(PYTHON)" -m venv --clear .venv || { \
	  echo "$(PYTHON) cannot make a virtual environment; on Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@touch $@

.venv/.installed: pyproject.toml .venv/.python
	"$(BIN)/python" -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/.plot: .venv/.installed
	"$(BIN)/python" -m pip install --quiet --disable-pip-version-check --editable '.[plot]'
	@touch $@

.venv/.dev: .venv/.installed
	"$(BIN)/python" -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@
