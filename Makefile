# make run    play, or run the bots if a token is set       make lint   what CI checks besides tests
# make test   every test, with a PostgreSQL if there is one  make bench  the numbers in docs/performance.md
# make messages   collect the sentences to translate
PYTHON ?= python3
BIN = .venv/bin

.PHONY: run test lint bench messages

run: .venv/kuis
	@$(BIN)/kuis

test: .venv/dev
	$(BIN)/pytest -q -n 2 --cov --cov-report=term tests/engine tests/formats tests/test_*.py
	$(BIN)/python -m tests.helpers.with_postgres \
		$(BIN)/pytest -q -n 4 --dist loadgroup tests/adapters tests/storage tests/process

lint: .venv/dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

messages: .venv/dev
	@mkdir -p build
	$(BIN)/pybabel -q extract -k say -k plural:1,2 -k phrase --no-location --sort-output \
		-o build/kuis.pot bot adapters
	$(BIN)/pybabel -q update -i build/kuis.pot -o bot/locales/id.po -l id -w 100 \
		--no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date
	@sed -i -E '/^"(Project|Report|POT|PO-Rev|Last-T|Language-T|Generated)[^:]*:/d' bot/locales/id.po

bench: .venv/dev
	$(BIN)/python -m tests.helpers.with_postgres $(BIN)/python -m bench

.venv/bin/python:
	@echo "Setting up Kuis, once..." >&2
	@$(PYTHON) -m venv .venv

.venv/kuis: pyproject.toml | .venv/bin/python
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

.venv/dev: pyproject.toml | .venv/bin/python
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,postgres]'
	@touch $@ .venv/kuis
