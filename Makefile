# The commands of a checkout. `make help` lists them.
#
# Everything is installed into .venv, which a stamp file keeps from being made anew; `make clean` removes it.
# PYTHON=... chooses another Python (3.11 or newer) to make it with.

PYTHON ?= python3
BIN := .venv/bin
CASES := ../shared/cases/check.py
# By the config and not by the name, which case 30 follows with a tab and a comment.
CASE_EXPORT := lazybayes export {config} --what predictions --output {out}

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help quickstart test lint format fuzz bench regression short clean
.PHONY: reproduce-tables reproduce-lbr reproduce-semilazy-tan reproduce-clltree

help: ## list these commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 28

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

fuzz: .venv/.dev ## feed 20,000 mutated inputs to every reader (COUNT=..., SEED=...)
	"$(BIN)/python" -m tests.fuzz.fuzz --count $(or $(COUNT),20000) --seed $(or $(SEED),1)

bench: .venv/.dev ## measure speed and memory against Weka and scikit-learn (FAST=1: smaller, rougher)
	"$(BIN)/python" -B tests/benchmarks/bench_all.py $(if $(FAST),--fast)

regression: .venv/.installed ## try the small inputs with known outcomes in ../shared, where that folder is there
	@if [ -f "$(CASES)" ]; then \
	  PATH="$(CURDIR)/$(BIN):$$PATH" "$(BIN)/python" -B "$(CASES)" --export "$(CASE_EXPORT)"; \
	else echo "make regression: skipped, since ../shared is not there"; fi

short: .venv/.installed ## run short versions of the papers off ../shared, where it is there, and compare
	"$(BIN)/python" -B tests/regression/short_papers.py

LBR := results/lbr2000
SEMILAZY := results/semilazy_tan2003
CLLTREE := results/clltree2006
SEEDS := 2 3
TAN_SEEDS := 2 3 4 5
CLLTREE_SEEDS := 2 3
READINGS := drop drop-zero keep-5 keep-5-zero
TABLES := --format markdown --format csv --output

reproduce-tables: reproduce-lbr reproduce-semilazy-tan reproduce-clltree ## run the papers' experiments, write tables and comparisons

reproduce-lbr: .venv/.plot ## of these the LBR paper's, with figures
	"$(BIN)/lazybayes" run lbr2000 --quiet
	"$(BIN)/lazybayes" run lbr2000-uniform --quiet
	"$(BIN)/lazybayes" run lbr2000-other-data --quiet
	"$(BIN)/lazybayes" run lbr2000-bsej-last --quiet
	for seed in $(SEEDS); do "$(BIN)/lazybayes" run lbr2000 --seed $$seed --quiet || exit; done
	"$(BIN)/lazybayes" tables lbr2000 $(TABLES) $(LBR)
	"$(BIN)/lazybayes" analyse rules lbr2000 $(TABLES) $(LBR)
	"$(BIN)/lazybayes" analyse small-disjuncts lbr2000 $(TABLES) $(LBR)
	"$(BIN)/lazybayes" figures lbr2000
	-"$(BIN)/lazybayes" compare lbr2000 lbr2000-uniform lbr2000-other-data lbr2000-bsej-last --published lbr2000 \
	  --format markdown > $(LBR)/readings.md
	-"$(BIN)/lazybayes" compare lbr2000 $(SEEDS:%=lbr2000-seed-%) --published lbr2000 --format markdown > $(LBR)/seeds.md
	"$(BIN)/lazybayes" compare lbr2000 --published lbr2000 $(TABLES) $(LBR)

reproduce-semilazy-tan: .venv/.installed ## of these the semi-lazy TAN paper's
	"$(BIN)/lazybayes" run semilazy_tan2003 --quiet
	"$(BIN)/lazybayes" run semilazy_tan2003-training --quiet
	for seed in $(TAN_SEEDS); do "$(BIN)/lazybayes" run semilazy_tan2003 --seed $$seed --quiet || exit; done
	"$(BIN)/lazybayes" tables semilazy_tan2003 $(TABLES) $(SEMILAZY)
	"$(BIN)/lazybayes" tables semilazy_tan2003-training $(TABLES) $(SEMILAZY)/training
	-"$(BIN)/lazybayes" compare semilazy_tan2003 semilazy_tan2003-training $(TAN_SEEDS:%=semilazy_tan2003-seed-%) \
	  --published semilazy_tan2003 --format markdown > $(SEMILAZY)/seeds.md
	-"$(BIN)/lazybayes" compare semilazy_tan2003 semilazy_tan2003-training --published semilazy_tan2003 \
	  $(TABLES) $(SEMILAZY)

reproduce-clltree: .venv/.installed ## of these the CLLTree paper's
	"$(BIN)/lazybayes" run clltree2006 --quiet
	for seed in $(CLLTREE_SEEDS); do "$(BIN)/lazybayes" run clltree2006 --seed $$seed --quiet || exit; done
	"$(BIN)/lazybayes" run clltree2006-short --quiet
	"$(BIN)/lazybayes" run clltree2006-readings --quiet
	"$(BIN)/lazybayes" tables clltree2006 $(TABLES) $(CLLTREE)
	"$(BIN)/lazybayes" tables clltree2006-short $(TABLES) $(CLLTREE)/short
	-"$(BIN)/lazybayes" compare clltree2006-readings --published clltree2006 $(READINGS:%=--as CLLTree=%) \
	  --format markdown > $(CLLTREE)/readings.md
	-"$(BIN)/lazybayes" compare clltree2006 $(CLLTREE_SEEDS:%=clltree2006-seed-%) --published clltree2006 \
	  --format markdown > $(CLLTREE)/seeds.md
	"$(BIN)/python" -B tests/regression/old_laplace.py clltree2006 > $(CLLTREE)/old-laplace.md
	-"$(BIN)/lazybayes" compare clltree2006 --published clltree2006 $(TABLES) $(CLLTREE)

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
