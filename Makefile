# Ludopost. One makefile, everything it makes lies in $(BUILD). `make help` lists the targets.
.DEFAULT_GOAL := all
MAKEFLAGS += --no-builtin-rules
.DELETE_ON_ERROR:
.SUFFIXES:

BUILD ?= build
CC ?= gcc
ifeq ($(origin CC),default)
CC := gcc
endif
PREFIX ?= /usr/local
# SANITIZE=address,undefined builds with these sanitizers; OPTIMIZE overrides -O2 -g.
SANITIZE ?=
OPTIMIZE ?= $(if $(SANITIZE),-O1 -g -fno-omit-frame-pointer,-O2 -g)

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wconversion -Wvla -Werror
COMMON := -std=c11 -D_GNU_SOURCE $(OPTIMIZE) $(WARNINGS) -fstack-protector-strong -pthread \
	$(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all)
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PYTHON := /usr/bin/python3
LDFLAGS_ALL := -pthread $(if $(SANITIZE),-fsanitize=$(SANITIZE)) $(LDFLAGS)

# Package flags are system headers: their warnings are not ours.
packages = $(shell pkg-config $(1) $(2) 2>/dev/null | sed 's/-I/-isystem /g')
DB_PACKAGES := libpq glib-2.0
MAIL_PACKAGES := gmime-3.0 libcurl libidn2 glib-2.0
SERVICE_PACKAGES := libmicrohttpd jansson cairo libpng icu-i18n icu-uc $(DB_PACKAGES) $(MAIL_PACKAGES)

RULES_SOURCES := $(wildcard rules/*.c)
DB_SOURCES := $(wildcard db/*.c)
MAIL_SOURCES := $(wildcard mail/*.c)
SERVICE_SOURCES := $(filter-out service/main.c,$(wildcard service/*.c service/web/*.c))

RULES_FLAGS := $(COMMON) $(if $(SANITIZE),,-O3)
DB_FLAGS = $(COMMON) $(call packages,--cflags,$(DB_PACKAGES))
MAIL_FLAGS = $(COMMON) $(call packages,--cflags,$(MAIL_PACKAGES))
SERVICE_FLAGS = $(COMMON) -I. $(call packages,--cflags,$(SERVICE_PACKAGES))
LIBRARIES = $(call packages,--libs,$(SERVICE_PACKAGES)) -lresolv -lm

# Commands are shown in short; V=1 shows them whole.
quiet = $(if $(V),,@printf '  %-5s %s\n' '$(1)' '$(or $(2),$@)';)
objects = $(patsubst %.c,$(BUILD)/%.o,$(1))
LIBS := $(BUILD)/libservice.a $(BUILD)/libmail.a $(BUILD)/libdb.a $(BUILD)/librules.a

.PHONY: all have-packages
all: have-packages $(BUILD)/ludopost $(BUILD)/tests/mail_cases ## build build/ludopost
have-packages:
	@{ command -v $(CC) && pkg-config --exists $(SERVICE_PACKAGES); } >/dev/null 2>&1 || { \
		echo 'A compiler or libraries are missing: `make deps` installs them.' >&2; exit 1; }

# ---- packages (Debian 12) ------------------------------------------------------------------
# One a line, so that a change is one line. DEPS_BUILD makes the program, DEPS_RUN is what
# `make run` needs beside it, DEPS_TEST what `make test` needs, DEPS_BENCH what `make bench` needs.
DEPS_BUILD := \
	gcc \
	libc6-dev \
	pkg-config \
	libpq-dev \
	libglib2.0-dev \
	libgmime-3.0-dev \
	libidn2-dev \
	libcurl4-openssl-dev \
	libmicrohttpd-dev \
	libjansson-dev \
	libcairo2-dev \
	libicu-dev \
	libpng-dev
DEPS_RUN := \
	ca-certificates \
	curl \
	fontconfig \
	fonts-dejavu-core \
	mutt \
	nano \
	postgresql-15 \
	procps \
	python3 \
	python3-aiosmtpd \
	python3-requests \
	tzdata \
	util-linux
DEPS_TEST := \
	chromium \
	chromium-driver \
	clang \
	clang-format \
	clang-tidy \
	cppcheck \
	dovecot-imapd \
	fetchmail \
	git \
	libclang-rt-dev \
	perl \
	postfix \
	pyflakes3 \
	python3-html5lib \
	python3-hypothesis \
	python3-jsonschema \
	python3-psycopg2 \
	python3-pytest \
	python3-pytest-xdist \
	python3-selenium \
	python3-yaml \
	shellcheck
DEPS_BENCH := \
	nginx-light \
	python3-psycopg2

.PHONY: deps deps-build deps-run deps-test deps-bench
deps: ## install every package that any target needs (apt, Debian 12)
	@sh docker/local/packages.sh $(DEPS_BUILD) $(DEPS_RUN) $(DEPS_TEST) $(DEPS_BENCH)
deps-build:
	@sh docker/local/packages.sh $(DEPS_BUILD)
deps-run:
	@sh docker/local/packages.sh $(DEPS_BUILD) $(DEPS_RUN)
deps-test:
	@sh docker/local/packages.sh $(DEPS_BUILD) $(DEPS_RUN) $(DEPS_TEST)
deps-bench:
	@sh docker/local/packages.sh $(DEPS_BUILD) $(DEPS_RUN) $(DEPS_BENCH)

$(BUILD)/rules/%.o: rules/%.c
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(CC) $(RULES_FLAGS) $(CFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/db/%.o: db/%.c
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(CC) $(DB_FLAGS) $(CFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/mail/%.o: mail/%.c
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(CC) $(MAIL_FLAGS) $(CFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/service/%.o: service/%.c
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(CC) $(SERVICE_FLAGS) $(CFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/tests/%.o: tests/%.c
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(CC) $(SERVICE_FLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

# Files carried inside the program: service/embed.sh SYMBOL FILE...
MIGRATIONS := $(sort $(wildcard db/migrations/*.sql))
TEMPLATES := $(sort $(wildcard mail/templates/*/*.txt))
SERVICE_FILES := $(sort $(wildcard service/text/*.ini service/web/*.css service/web/*.svg service/openapi.json))
define embedded
$(BUILD)/embedded/$(1).c: $(2) service/embed.sh
	@mkdir -p $$(@D)
	$$(call quiet,EMBED)sh service/embed.sh $(1) $(2) > $$@
$(BUILD)/embedded/$(1).o: $(BUILD)/embedded/$(1).c
	$$(call quiet,CC)$$(CC) $$(COMMON) $$(CFLAGS) -c $$< -o $$@
endef
$(eval $(call embedded,db_files,$(MIGRATIONS) db/grants.sql))
$(eval $(call embedded,mail_template_files,$(TEMPLATES)))
$(eval $(call embedded,service_files,$(SERVICE_FILES)))

$(BUILD)/librules.a: $(call objects,$(RULES_SOURCES))
$(BUILD)/libdb.a: $(call objects,$(DB_SOURCES)) $(BUILD)/embedded/db_files.o
$(BUILD)/libmail.a: $(call objects,$(MAIL_SOURCES)) $(BUILD)/embedded/mail_template_files.o
$(BUILD)/libservice.a: $(call objects,$(SERVICE_SOURCES)) $(BUILD)/embedded/service_files.o
$(LIBS):
	@mkdir -p $(@D)
	@rm -f $@
	$(call quiet,AR)ar rcs $@ $^

$(BUILD)/ludopost: $(BUILD)/service/main.o $(LIBS)
	$(call quiet,LINK)$(CC) $(LDFLAGS_ALL) $^ -o $@ $(LIBRARIES)

# One test program per tests/*/test_*.c; they speak TAP.
TEST_PROGRAMS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/*/test_*.c))
# Small programs through which the tests in Python reach one function: tests/*/*_probe.c.
TEST_PROBES := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/*/*_probe.c))
# What judges a folder of mails is run by hand, too: build/tests/mail_cases DIR.
MAIL_CASES := $(BUILD)/tests/mail_cases
$(MAIL_CASES): $(BUILD)/tests/mail/mail_cases.o $(LIBS)
	$(call quiet,LINK)$(CC) $(LDFLAGS_ALL) $^ -o $@ $(LIBRARIES)
$(BUILD)/tests/%: $(BUILD)/tests/%.o $(LIBS)
	$(call quiet,LINK)$(CC) $(LDFLAGS_ALL) $^ -o $@ $(LIBRARIES)
$(BUILD)/tests/service/test_mail_lines: %: %.o $(BUILD)/tests/rules/check.o $(LIBS)
	$(call quiet,LINK)$(CC) $(LDFLAGS_ALL) $^ -o $@ $(LIBRARIES)
# The referee's tests need nothing but the referee, so that mutants build fast.
RULES_TEST_OBJECTS := $(BUILD)/tests/rules/check.o $(BUILD)/tests/rules/xo_rows.o
$(BUILD)/tests/rules/test_%: $(BUILD)/tests/rules/test_%.o $(RULES_TEST_OBJECTS) $(BUILD)/librules.a
	$(call quiet,LINK)$(CC) $(LDFLAGS_ALL) $^ -o $@ $(call packages,--libs,jansson glib-2.0)
.PHONY: test-programs rules-test-programs
test-programs: $(TEST_PROGRAMS) $(TEST_PROBES) $(MAIL_CASES)
rules-test-programs: $(filter $(BUILD)/tests/rules/%,$(TEST_PROGRAMS))
.PHONY: mutants
mutants: rules-test-programs ## seed faults into the referee; each must be caught by a test
	@$(PYTHON) tests/rules/mutants.py $(BUILD) "$(CC)" $(call packages,--libs,jansson glib-2.0)

# Fuzz targets: tests/fuzz/fuzz_NAME.c (LLVMFuzzerTestOneInput), seeds in tests/fuzz/corpus/NAME/.
# They and everything they link need clang, in a build folder of their own: `make fuzz` and
# `make fuzz-replay` call this makefile again with it.
FUZZERS := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))
$(BUILD)/fuzz/%: $(BUILD)/tests/fuzz/%.o $(LIBS)
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CC) $(LDFLAGS_ALL) -fsanitize=fuzzer $^ -o $@ $(LIBRARIES)
.PHONY: fuzz-programs fuzz fuzz-replay
fuzz-programs: $(FUZZERS)
FUZZ_SECONDS ?= 60
FUZZ_BUILD := BUILD=$(BUILD)/clang-fuzz CC=clang SANITIZE=fuzzer-no-link,address,undefined
fuzz: ## fuzz each parser for FUZZ_SECONDS (60); new inputs go to build/fuzz-found/
	$(MAKE) $(FUZZ_BUILD) fuzz-programs
	sh tests/fuzz/run.sh fuzz $(BUILD)/clang-fuzz/fuzz $(BUILD)/fuzz-found $(FUZZ_SECONDS)
fuzz-replay:
	$(MAKE) $(FUZZ_BUILD) fuzz-programs
	sh tests/fuzz/run.sh replay $(BUILD)/clang-fuzz/fuzz

# ---- style ---------------------------------------------------------------------------------
C_FILES := $(wildcard rules/*.[ch] db/*.[ch] mail/*.[ch] service/*.[ch] service/*/*.[ch] tests/*/*.[ch])
SHELL_FILES := $(wildcard .ci/run docker/*.sh docker/*/*.sh service/*.sh tests/*.sh tests/*/*.sh)
PYTHON_FILES := tests/run $(wildcard docker/*.py docker/*/*.py tests/*.py tests/*/*.py service/*/*.py)

.PHONY: format format-check
format: ## lay out every C file as .clang-format says
	clang-format -i $(C_FILES)
format-check:
	clang-format --dry-run -Werror $(C_FILES)

# One stamp per source, so that only what changed (or includes what changed) is read again.
TIDY_SOURCES := $(filter %.c,$(C_FILES))
TIDY_STAMPS := $(TIDY_SOURCES:%.c=$(BUILD)/tidy/%)
tidy_flags = $(filter-out -Werror,$(if $(filter rules/%,$(1)),$(RULES_FLAGS),$(if $(filter db/%,$(1)),$(DB_FLAGS),$(if \
	$(filter mail/%,$(1)),$(MAIL_FLAGS),$(SERVICE_FLAGS)))))
$(BUILD)/tidy/%: %.c $(BUILD)/%.o .clang-tidy
	@mkdir -p $(@D)
	@echo clang-tidy $<
	@clang-tidy --quiet $< -- $(call tidy_flags,$<) >$@.out 2>&1 || { cat $@.out; exit 1; }
	@touch $@

.PHONY: lint lint-tidy lint-cppcheck lint-scripts lint-style
lint: lint-tidy lint-cppcheck lint-scripts lint-style ## clang-tidy, cppcheck, shellcheck, pyflakes, house rules
lint-tidy: $(TIDY_STAMPS)
lint-cppcheck:
	@mkdir -p $(BUILD)/cppcheck
	cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr \
		--error-exitcode=1 --suppress=missingIncludeSystem --suppressions-list=tests/style/cppcheck.txt \
		--library=posix,gtk '-DG_DEFINE_QUARK(words,name)=' '-DG_DEFINE_EXTENDED_ERROR(type,name)=' --cppcheck-build-dir=$(BUILD)/cppcheck -I. $(TIDY_SOURCES)
lint-scripts:
	shellcheck $(SHELL_FILES)
	pyflakes3 $(PYTHON_FILES)
lint-style:
	$(PYTHON) -m pytest -q -p no:cacheprovider tests/style

# ---- tests ---------------------------------------------------------------------------------
# tests/run builds what it needs in folders of its own and ends with `N passed, N failed`.
# LUDOPOST_SEED repeats a run; ONLY="unit api" runs some of the parts.
.PHONY: test soak
test: deps-test ## build with gcc and clang, lint, every test; last line `N passed, N failed`
	@$(PYTHON) tests/run $(ONLY)
soak: deps-test ## the same tests with full counts (up to two hours)
	@$(PYTHON) tests/run --full $(ONLY)

# ---- speed ---------------------------------------------------------------------------------
# BENCH="turn read" measures some of the parts; BENCH_SECONDS is how long one run lasts.
BENCH_PROGRAMS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/bench/*.c))
.PHONY: bench
bench: deps-bench ## measure turns, reads, mails, rules, a million games; build/bench.json
	@$(MAKE) --no-print-directory -j$(JOBS) all $(BENCH_PROGRAMS)
	@$(PYTHON) tests/bench/run.py $(BENCH)

# ---- a server to try -----------------------------------------------------------------------
.PHONY: run demo
run: deps-run ## set everything up and serve on 127.0.0.1:8080 with two demo players; Ctrl-C ends it
	@$(MAKE) --no-print-directory -j$(JOBS) all
	@exec $(PYTHON) docker/local/run.py
demo: ## play a whole game of each rule set on the server of `make run`
	@$(PYTHON) docker/local/demo.py

.PHONY: readme
readme: all ## write the table of settings into README.md
	$(PYTHON) docker/local/settings_table.py

# ---- installation --------------------------------------------------------------------------
.PHONY: install
install: all ## install the program, systemd units and examples below $(DESTDIR)$(PREFIX)
	install -D -m 755 $(BUILD)/ludopost $(DESTDIR)$(PREFIX)/bin/ludopost
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/system $(DESTDIR)$(PREFIX)/share/doc/ludopost
	for unit in docker/systemd/*.service; do \
		sed 's|@PREFIX@|$(PREFIX)|g' $$unit > $(DESTDIR)$(PREFIX)/lib/systemd/system/$${unit##*/} || exit 1; \
	done
	for file in README.md docker/ludopost.conf docker/nginx/ludopost.conf docker/postfix/* docker/opensmtpd/* docker/fetchmail/*; do \
		[ ! -f $$file ] || install -m 644 $$file \
			$(DESTDIR)$(PREFIX)/share/doc/ludopost/$$(echo $${file#docker/} | tr / -) || exit 1; \
	done

.PHONY: clean
clean: ## remove what was built
	rm -rf $(BUILD)

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort | expand -t 12

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
