# `make demo` and `make test` do everything on a fresh machine, set-up included.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready

.PHONY: demo web test test-gpu check check-page chromium setup bench fuzz clean

demo: setup
	@echo "In a browser: make web"
	$(BIN)/poker-solver hunl

# The browser, opened on a solved example.
web: setup
	$(BIN)/poker-solver web --page /study/example:3bet-pot

test: check chromium
	$(BIN)/pytest -n auto --maxprocesses 4 --dist loadfile

test-gpu: setup
	$(BIN)/pytest -m gpu

check: setup check-page
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest -q tests/architecture

# Types of the page's JavaScript, where node is there.
TSC := npx --yes --package typescript@5.9.3 tsc
check-page:
	@if $(TSC) --version >/dev/null 2>&1; then $(TSC) -p src/poker_solver/web/static; \
	else echo "no node, or no way to fetch TypeScript: types of the page are not checked"; fi

# What the browser tests drive; they are skipped, and say so, where it is not and cannot be installed.
chromium:
	@which chromium chromium-browser google-chrome google-chrome-stable 2>/dev/null | grep -q . || \
	{ test "$$(id -u)" = 0 && which apt-get >/dev/null && apt-get update -qq && \
	  apt-get install -y -qq --no-install-recommends chromium >/dev/null 2>&1; } || \
	echo "no Chromium here: browser tests are skipped; apt-get install chromium"

# Twenty times as many kills, damaged files and random inputs as in `make test`; FUZZ=200 for longer.
fuzz: setup
	FUZZ=$${FUZZ:-20} $(BIN)/pytest -q tests/cli/test_reliability.py tests/cli/test_wrong_input.py
	$(BIN)/python -m benchmarks.play_fuzz

bench: setup
	$(BIN)/python -m benchmarks

setup:
	@$(BIN)/poker-solver --version >/dev/null 2>&1 || rm -f $(STAMP)
	@$(MAKE) --no-print-directory $(STAMP)

# The stamp is the last thing made, and goes when the program does not start: what is half made or
# broken is made again from the start; what is whole and only older than its inputs is brought up to date.
$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "poker-solver needs Python 3.11 or later; $(PYTHON) is $$($(PYTHON) --version 2>&1)"; exit 1; }
	@test -e $@ || $(PYTHON) -m venv --clear $(VENV) || \
	  { echo "cannot make $(VENV); on Debian: apt-get install python3-venv"; exit 1; }
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
