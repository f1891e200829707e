# ScholarSearch. `make run` starts the service, `make test` is the whole gate, `make help` lists the rest.
# Needs Python 3.11 or newer, pip and make; everything else comes from the package index into .venv.

HOST ?= 127.0.0.1
PORT ?= 8000
# cpu: never installs a CUDA package. gpu: the index's default torch (on Linux with its CUDA libraries) and FAISS on GPU.
VARIANT ?= cpu
# Extra pip options for torch alone, where the configured index has no CPU build of it: make run TORCH_ARGS="--index-url URL"
TORCH_ARGS ?=
# 3.11 first: it is the version whose torch wheel has a known hash.
PYTHON ?= $(shell for p in python3.11 python3 python3.12 python3.13 python3.14 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done)

VENV := .venv
BIN := $(VENV)/bin
PY := $(BIN)/python
PIP := $(PY) -m pip --disable-pip-version-check --no-input
INSTALL := $(PIP) install --no-deps --no-build-isolation --require-hashes
PACKAGES := $(VENV)/.packages-$(VARIANT)
RUN_STAMP := $(VENV)/.run-$(VARIANT)
DEV_STAMP := $(VENV)/.dev-$(VARIANT)
LOCKS := requirements-build.lock requirements-torch.lock requirements.lock
TORCH := $(shell sed -n 's/^\(torch==[0-9.]*\)+cpu.*/\1/p' requirements-torch.lock)
PLATFORM = $(shell $(PY) -c 'import platform, sys; print(sys.platform, platform.machine(), "%d.%d" % sys.version_info[:2])')
QUICK := not slow and not browser and not engine and not gpu and not hub
say = printf '\n== %s\n'

.DEFAULT_GOAL := help
.PHONY: help setup setup-dev packages run test check format lint types imports quick rest bench train-small docker lock clean distclean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

setup: $(RUN_STAMP) ## make .venv with .venv/bin/scholarsearch; nothing to do when it is up to date

setup-dev: $(DEV_STAMP) ## setup, and what the gate needs

packages: $(PACKAGES) ## the pinned packages alone, without ScholarSearch (for the container image)

run: setup ## start the service on http://HOST:PORT/ (127.0.0.1:8000); the first start makes the snapshot
	@$(say) "Starting ScholarSearch: http://$(HOST):$(PORT)/ (Ctrl-C stops it)"
	@exec $(BIN)/scholarsearch serve --host $(HOST) --port $(PORT)

test: setup-dev format lint types imports quick rest ## the whole gate; tests whose programs are missing are skipped with a reason

check: setup-dev format lint types imports quick ## the fast part of the gate

format:
	@$(say) "Format: ruff format --check"
	@$(BIN)/ruff format --check .

lint:
	@$(say) "Lint: ruff check"
	@$(BIN)/ruff check .

types:
	@$(say) "Types: mypy, strict"
	@$(BIN)/mypy

imports:
	@$(say) "Import rules: import-linter"
	@$(BIN)/lint-imports

quick:
	@$(say) "Tests: the fast ones"
	@$(PY) -m pytest -m "$(QUICK)"

# Exit code 5 means that no test was chosen, which is no failure.
rest:
	@$(say) "Tests: real models, browser and external programs; a skipped test says what it would need"
	@$(PY) -m pytest -m "not ($(QUICK))" || [ $$? -eq 5 ]

bench: setup ## first-stage benchmarks at 100k and 1M synthetic documents (half an hour, some 8 GiB of memory)
	$(BIN)/scholarsearch bench retrieval

# SOURCES: a folder of more data to build examples from than the shipped catalogue.
SOURCES ?=
train-small: setup ## train the shipped reranker anew into runs/reranker (two cores, some hours); goes on where it stopped
	$(BIN)/scholarsearch train --out runs/reranker $(if $(SOURCES),--sources $(SOURCES))

docker: ## the image scholarsearch:VARIANT
	docker build --build-arg VARIANT=$(VARIANT) --build-arg TORCH_ARGS="$(TORCH_ARGS)" -t scholarsearch:$(VARIANT) .

# Torch is resolved (so that its own requirements are locked) but not written: requirements-torch.lock names its build.
COMPILE := $(BIN)/pip-compile --generate-hashes --strip-extras --quiet --no-emit-index-url --no-emit-find-links \
	--no-emit-trusted-host --unsafe-package torch --no-allow-unsafe
lock: setup-dev ## write the three .lock files anew from pyproject.toml (slow; edit requirements-torch.lock by hand)
	@$(say) "Locking: this asks the index for every file's hash and takes minutes"
	@sed -n 's/^\(torch==[^ ]*\).*/\1/p' requirements-torch.lock > $(VENV)/torch.txt
	@printf 'editables\nhatchling\npip\nsetuptools\n' | CUSTOM_COMPILE_COMMAND="make lock" $(COMPILE) - -o requirements-build.lock
	@CUSTOM_COMPILE_COMMAND="make lock" $(COMPILE) -c $(VENV)/torch.txt pyproject.toml -o requirements.lock
	@CUSTOM_COMPILE_COMMAND="make lock" $(COMPILE) -c $(VENV)/torch.txt -c requirements.lock --extra dev pyproject.toml \
		-o requirements-dev.lock

clean: ## remove caches and build leftovers
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -path ./$(VENV) -prune -o -name __pycache__ -type d -print | xargs -r rm -rf

distclean: clean ## also remove .venv and everything the service wrote
	rm -rf $(VENV) artifacts

# --- how .venv comes about ----------------------------------------------------------------------------

$(PY):
	@if [ -z "$(PYTHON)" ]; then echo "ScholarSearch needs Python 3.11 or newer on the PATH (or make PYTHON=/path/to/python)." >&2; exit 1; fi
	@$(say) "Making $(VENV) with $$($(PYTHON) --version)"
	@if $(PYTHON) -c 'import ensurepip' 2>/dev/null; then \
		$(PYTHON) -m venv $(VENV); \
	elif $(PYTHON) -m pip --version >/dev/null 2>&1; then \
		$(PYTHON) -m venv --without-pip $(VENV) && \
		$(PYTHON) -m pip --python $@ --disable-pip-version-check install --no-deps --require-hashes -r requirements-build.lock; \
	else \
		echo "This Python has neither ensurepip nor pip. On Debian or Ubuntu: apt-get install python3-venv" >&2; exit 1; \
	fi

# The two builds of FAISS share one import name: the CPU one has to go before the other comes.
$(PACKAGES): $(LOCKS) | $(PY)
	@$(say) "Installing the pinned packages (once: some 0.6 GB to fetch, 1.9 GB on disk)"
	@$(INSTALL) -r requirements-build.lock
	@$(MAKE) --no-print-directory torch-$(VARIANT) GOAL="$(or $(MAKECMDGOALS),setup)"
	@$(INSTALL) -r requirements.lock
	@if [ "$(VARIANT)" = gpu ]; then $(PIP) uninstall --yes faiss-cpu && $(PIP) install faiss-gpu; fi
	@rm -f $(VENV)/.packages-* && touch $@

$(RUN_STAMP): $(PACKAGES) pyproject.toml hatch_build.py $(wildcard models/kernel/*.[ch])
	@$(say) "Installing ScholarSearch itself, editable"
	@$(PIP) install --no-deps --no-build-isolation --quiet --editable .
	@[ "$(VARIANT)" = gpu ] || $(PIP) check
	@rm -f $(VENV)/.run-* && touch $@

$(DEV_STAMP): $(RUN_STAMP) requirements-dev.lock
	@$(say) "Installing the packages of the gate (once)"
	@$(INSTALL) -r requirements-dev.lock
	@rm -f $(VENV)/.dev-* && touch $@

.PHONY: torch-cpu torch-gpu
# On Linux the CPU build carries "+cpu" in its version, so the CUDA build of the default index never matches.
torch-cpu:
	@case "$(PLATFORM)" in \
		"linux x86_64 3.11") set -- --require-hashes -r requirements-torch.lock;; \
		linux*) set -- "$(TORCH)+cpu";; \
		*) set -- "$(TORCH)";; \
	esac; \
	$(PIP) install --no-deps $(TORCH_ARGS) "$$@" || { \
		printf '%s\n' "" \
		"The configured package index has no CPU build of $(TORCH) for $(PLATFORM). Choose one:" \
		"  make $(GOAL) TORCH_ARGS=\"--index-url URL\"   URL: PyTorch's own index of CPU wheels, or your mirror of it" \
		"  make $(GOAL) VARIANT=gpu                    the default build with its CUDA libraries, several GB" >&2; \
		exit 1; }

torch-gpu:
	@$(PIP) install $(TORCH_ARGS) "$(TORCH)"
