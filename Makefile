# `make` alone says what there is. Everything lives in .venv; nothing is installed outside it, except by
# `make system-tools` (see there).
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Tests that play in a browser or over a daemon wait most of their time: three of them fill two cores.
JOBS ?= 3
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# The lock names every package, so nothing is resolved: what isn't there with the right hash fails.
INSTALL := $(PIP) install --no-compile --require-hashes --no-deps --requirement
# pip would do that on one core.
BYTECODE := $(BIN)/python -m compileall -qq -j 0 $(VENV)/lib || true
# The workspace: each has its own pyproject.toml, dependencies and README.
DISTRIBUTIONS := firmware controller/rules controller/umpire hardware/drivers hardware/make sim/simulator sim/lab sim/adapters
METADATA := $(DISTRIBUTIONS:%=%/pyproject.toml)
EDITABLE := $(PIP) install --no-deps --no-build-isolation $(DISTRIBUTIONS:%=--editable ./%)
# Tests start hundreds of processes. Where nothing may be kept of what Python compiles, each compiles it all anew.
unexport PYTHONDONTWRITEBYTECODE
COMPILE := $(BIN)/pip-compile --quiet --strip-extras --generate-hashes --allow-unsafe \
	--no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-header --annotation-style line
# What is in this checkout has no hash: it is installed from its folder.
LOCKED := sed -i -e '/^-e /d' -e '/^\# WARNING: pip install/d' -e '/^\# Consider using a hashable/d'

.DEFAULT_GOAL := help
.PHONY: help play test test-all check scripts format nightly evenings bench compiled emulator deb release tab version install uninstall library docs screenshots boards catalogues untranslated lock system-tools clean

help: ## say what there is (this list)
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1|\2/' | \
		while IFS='|' read -r name text; do printf '%-22s%s\n' "$$name" "$$text"; done

play: $(VENV)/.play ## play Stratego Quick Duel on a simulated board in a browser (ARGS="--listen 127.0.0.1:9000")
	@$(BIN)/boardumpire page $(ARGS)

test: $(VENV)/.dev system-tools ## run the quick tests, some minutes (ARGS="tests/rules -k scout" for some)
	@$(BIN)/python -m pytest -m "not nightly and not slow" -n $(JOBS) --dist worksteal --durations=10 $(ARGS)

# The emulated Pico takes a third of the time once its core is compiled; without a compiler it plays as it is. More of
# its tests wait than of the quick ones.
test-all: JOBS := 4
test-all: $(VENV)/.dev $(VENV)/.stubs system-tools ## run all tests but those of a night
	@$(BIN)/python -m boardlab.benchmarks.emulator || true
	@PYTHONPATH="$(CURDIR)/build/emulator$${PYTHONPATH:+:$$PYTHONPATH}" $(BIN)/python -m pytest -m "not nightly" -n $(JOBS) --dist worksteal --durations=10 $(ARGS)

check: $(VENV)/.dev ## format, lint, strict types, who may import whom
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@MYPYPATH=examples/breakthrough:examples/chess:examples/echo:examples/smugglers $(BIN)/mypy -p boardumpire_breakthrough -p boardumpire_chess -p boardumpire_echo -p boardumpire_smugglers
	@MYPYPATH=package/tab/python $(BIN)/mypy -m boardumpire_tab
	@$(BIN)/lint-imports
	@$(MAKE) --no-print-directory --silent scripts

# The page's scripts need no build. Their checks come from npm with a lock; who has no node plays and tests without.
scripts: ## format, lint, types and unit tests of the page's scripts; skipped where there is no node
	@if ! command -v node >/dev/null || ! command -v npm >/dev/null; then \
		echo 'scripts: skipped, there is no node and npm here (Debian: sudo apt install nodejs npm)'; \
	elif ! node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)'; then \
		echo "scripts: skipped, they are checked with node 20.19 or newer, and this is $$(node --version)"; \
	elif [ ! node_modules/.package-lock.json -nt package-lock.json ] && ! npm ci --silent >/dev/null 2>&1; then \
		echo 'scripts: skipped, npm could not install what package-lock.json names (npm ci says why)'; \
	else touch node_modules/.package-lock.json; npm run --silent check; fi

format: $(VENV)/.dev ## put the code in the house's form
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .
	@if [ -d node_modules ]; then npm run --silent format; fi

nightly: $(VENV)/.dev $(VENV)/.stubs $(VENV)/.adapters system-tools ## run the long tests for 8 hours, and report into build/nightly (ARGS="--hours 1 tests/soak")
	@$(BIN)/python tests/nightly.py $(ARGS)

evenings: $(VENV)/.dev ## play whole evenings in virtual time (ARGS="stratego-quick-duel 0 200 --jobs 2")
	@PYTHONPATH=tests $(BIN)/python -m evenings $(ARGS)

bench: $(VENV)/.dev ## measure, as ratios with known yardsticks (ARGS=--gates fails where one is missed)
	@$(BIN)/python -m boardlab.benchmarks $(ARGS)

compiled: $(VENV)/.dev ## make machine code of the rules (needs a C compiler and Python's headers)
	@$(BIN)/python -m boardlab.benchmarks.compiled

emulator: $(VENV)/.dev ## compile the emulated Pico's core for this Python alone: three times as fast
	@$(BIN)/python -m boardlab.benchmarks.emulator

deb: $(VENV)/.dev ## build the Debian package into build/deb (ARGS="--arch arm64": for a Raspberry Pi)
	@$(BIN)/python package/build.py $(ARGS)

tab: $(VENV)/.dev ## build a page on which the whole umpire runs within the browser, into build/tab (needs npm)
	@[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --silent
	@touch node_modules/.package-lock.json
	@$(BIN)/python package/tab/build.py $(ARGS)

install: $(VENV)/.play ## install here as the package does (DESTDIR=/folder: into a folder, without root)
	@$(BIN)/python package/install.py --destdir "$(DESTDIR)"

uninstall: $(VENV)/.play ## take that away again; games and configuration stay
	@$(BIN)/python package/install.py --destdir "$(DESTDIR)" --remove

library: $(VENV)/.dev ## build the rules alone, as a wheel without dependencies, into build/library
	@$(PIP) wheel --no-deps --no-build-isolation --no-index --wheel-dir build/library ./controller/rules
	@ls -1 build/library/*.whl

release: $(VENV)/.dev untranslated tab docs ## build all that a version is published as into dist/, with checksums
	@$(BIN)/python package/release.py

# What goes onto a Pico carries its version too: with another number a board's Picos get their firmware anew.
version: $(VENV)/.docs ## write one version into all distributions, and its section into CHANGELOG.md (NUMBER=1.1.0)
	@test -n "$(NUMBER)" || { echo "make: say which: make version NUMBER=1.1.0" >&2; exit 1; }
	@sed -Ei -e 's/^(version = |VERSION = )"[^"]*"/\1"$(NUMBER)"/' \
		-e 's/^(.*"board[a-z]+(\[[a-z]+\])?==)[^"]+/\1$(NUMBER)/' $(METADATA) firmware/boardwire/station.py
	@$(VENV)/docs/bin/towncrier build --yes --version "$(NUMBER)"

# Its dates are those of the last commit. The pages about the API come from the sources, which nothing imports.
# It has the page of `make tab`, if that was built.
docs: $(VENV)/.docs ## build the site into build/site: open build/site/index.html, no server is needed
	@$(PYTHON) package/site_source.py
	@NO_MKDOCS_2_WARNING=1 SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(VENV)/docs/bin/mkdocs build --strict \
		--config-file build/mkdocs.yml >build/mkdocs.log 2>&1 || { cat build/mkdocs.log >&2; exit 1; }
	@rm build/site/404.html # its links are those of the root of a server

screenshots: $(VENV)/.dev system-tools ## photograph the page anew for docs/play/
	@$(BIN)/python tests/web/photograph.py $(ARGS)

boards: $(VENV)/.dev ## make hardware/made/ anew: faces, templates, wiring, parts of the shipped boards
	@for board in $$(ls hardware/made); do $(BIN)/boardumpire make paper $$board --into hardware/made/$$board; done

catalogues: $(VENV)/.dev ## bring the catalogues of all languages up to date, and the tables of lamps in guides
	@PYTHONPATH=tests $(BIN)/python -m languages.catalogues
	@PYTHONPATH=tests $(BIN)/python -m languages.guides

untranslated: $(VENV)/.dev ## list what is said in English in other languages; fails if that is anything
	@PYTHONPATH=tests $(BIN)/python -m languages.catalogues --missing

lock: $(VENV)/.dev ## renew requirements/*.txt (UPGRADE=--upgrade for newer releases)
	@$(PIP) install pip-tools
	@$(COMPILE) $(UPGRADE) --output-file requirements/dev.txt requirements/dev.in
	@$(LOCKED) requirements/dev.txt
	@for name in play pi maker cluster docs adapters; do \
		$(COMPILE) --constraint requirements/dev.txt --output-file requirements/$$name.txt requirements/$$name.in && \
		$(LOCKED) requirements/$$name.txt || exit 1; done

# Programs that some tests need and PyPI does not have. Installed only where that can surprise nobody: by root,
# or by a CI with passwordless sudo; elsewhere the tests that need them are skipped and say so.
system-tools: ## install what tests need from Debian, if it may be (root or CI); SYSTEM_TOOLS=no to leave it
	@want=; command -v systemd-analyze >/dev/null || want="$$want systemd"; \
	command -v chromium >/dev/null || want="$$want chromium fonts-dejavu-core"; \
	command -v espeak-ng >/dev/null || want="$$want espeak-ng"; \
	command -v mosquitto >/dev/null || want="$$want mosquitto"; \
	command -v openscad >/dev/null || want="$$want openscad"; \
	command -v stockfish >/dev/null || [ -x /usr/games/stockfish ] || want="$$want stockfish"; \
	$(BIN)/python -c 'import ctypes; ctypes.CDLL("libatomic.so.1")' 2>/dev/null || want="$$want libatomic1"; \
	if [ "$(SYSTEM_TOOLS)" != no ] && [ -n "$$want" ] && command -v apt-get >/dev/null; then \
		if [ "$$(id -u)" = 0 ]; then run=env; elif [ -n "$$CI" ] && sudo -n true 2>/dev/null; then run='sudo -n env'; else exit 0; fi; \
		echo "system-tools: installing$$want"; \
		{ $$run apt-get -qq update && $$run DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install $$want; } \
			>$(VENV)/system-tools.log 2>&1 || echo 'system-tools: could not ($(VENV)/system-tools.log); the tests that need it are skipped'; \
	fi

clean: ## remove .venv and what the tools left
	@rm -rf $(VENV) node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist

$(VENV)/.made:
	@command -v $(PYTHON) >/dev/null || { echo "make: there is no $(PYTHON); Boardumpire needs Python 3.11 or newer" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "make: Boardumpire needs Python 3.11 or newer, but $(PYTHON) is $$($(PYTHON) --version 2>&1); try: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
		{ echo "make: $(PYTHON) can't make a virtual environment; on Debian and Raspberry Pi OS: sudo apt install python3-venv" >&2; exit 1; }
	@echo 'make: installing into $(VENV) (once, some minutes)'
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.dev: $(VENV)/.made $(METADATA) requirements/dev.txt
	@$(INSTALL) requirements/dev.txt
	@$(BYTECODE)
	@$(EDITABLE)
	@touch $@ $(VENV)/.play

# What MicroPython's modules offer on each kind of Pico, as types. They would get in each other's way in one place.
$(VENV)/.stubs: $(VENV)/.made requirements/stubs.txt
	@$(PIP) download --require-hashes --no-deps --dest $(VENV)/stubs --requirement requirements/stubs.txt
	@cd $(VENV)/stubs && for wheel in *.whl; do ../bin/python -m zipfile -e $$wheel $${wheel%%-*}; done
	@touch $@

# The tests of the adapters are skipped without: 50 MB that most people never need.
$(VENV)/.adapters: $(VENV)/.dev requirements/adapters.txt
	@$(INSTALL) requirements/adapters.txt
	@touch $@

$(VENV)/.docs: $(VENV)/.made requirements/docs.txt
	@$(PYTHON) -m venv $(VENV)/docs
	@$(subst $(BIN),$(VENV)/docs/bin,$(INSTALL)) requirements/docs.txt
	@touch $@

$(VENV)/.play: $(VENV)/.made $(METADATA) requirements/play.txt
	@$(INSTALL) requirements/play.txt
	@$(BYTECODE)
	@$(EDITABLE)
	@touch $@
