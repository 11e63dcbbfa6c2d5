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
LDFLAGS_ALL := -pthread $(if $(SANITIZE),-fsanitize=$(SANITIZE)) $(LDFLAGS)

# Package flags are system headers: their warnings are not ours.
packages = $(shell pkg-config $(1) $(2) 2>/dev/null | sed 's/-I/-isystem /g')
DB_PACKAGES := libpq glib-2.0
MAIL_PACKAGES := gmime-3.0 libcurl glib-2.0
SERVICE_PACKAGES := libmicrohttpd jansson cairo icu-i18n icu-uc $(DB_PACKAGES) $(MAIL_PACKAGES)

RULES_SOURCES := $(wildcard rules/*.c)
DB_SOURCES := $(wildcard db/*.c)
MAIL_SOURCES := $(wildcard mail/*.c)
SERVICE_SOURCES := $(filter-out service/main.c,$(wildcard service/*.c service/web/*.c))

RULES_FLAGS := $(COMMON) $(if $(SANITIZE),,-O3)
DB_FLAGS = $(COMMON) $(call packages,--cflags,$(DB_PACKAGES))
MAIL_FLAGS = $(COMMON) $(call packages,--cflags,$(MAIL_PACKAGES))
SERVICE_FLAGS = $(COMMON) -I. $(call packages,--cflags,$(SERVICE_PACKAGES))
LIBRARIES = $(call packages,--libs,$(SERVICE_PACKAGES)) -lm

objects = $(patsubst %.c,$(BUILD)/%.o,$(1))
LIBS := $(BUILD)/libservice.a $(BUILD)/libmail.a $(BUILD)/libdb.a $(BUILD)/librules.a

.PHONY: all
all: $(BUILD)/ludopost ## build build/ludopost

$(BUILD)/rules/%.o: rules/%.c
	@mkdir -p $(@D)
	$(CC) $(RULES_FLAGS) $(CFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/db/%.o: db/%.c
	@mkdir -p $(@D)
	$(CC) $(DB_FLAGS) $(CFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/mail/%.o: mail/%.c
	@mkdir -p $(@D)
	$(CC) $(MAIL_FLAGS) $(CFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/service/%.o: service/%.c
	@mkdir -p $(@D)
	$(CC) $(SERVICE_FLAGS) $(CFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/tests/%.o: tests/%.c
	@mkdir -p $(@D)
	$(CC) $(SERVICE_FLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

# Files carried inside the program: service/embed.sh SYMBOL FILE...
MIGRATIONS := $(sort $(wildcard db/migrations/*.sql))
TEMPLATES := $(sort $(wildcard mail/templates/*/*.txt))
SERVICE_FILES := $(sort $(wildcard service/text/*.ini service/web/*.html service/web/*.css service/openapi.yaml))
define embedded
$(BUILD)/embedded/$(1).c: $(2) service/embed.sh
	@mkdir -p $$(@D)
	sh service/embed.sh $(1) $(2) > $$@
$(BUILD)/embedded/$(1).o: $(BUILD)/embedded/$(1).c
	$$(CC) $$(COMMON) $$(CFLAGS) -c $$< -o $$@
endef
$(eval $(call embedded,db_migration_files,$(MIGRATIONS)))
$(eval $(call embedded,mail_template_files,$(TEMPLATES)))
$(eval $(call embedded,service_files,$(SERVICE_FILES)))

$(BUILD)/librules.a: $(call objects,$(RULES_SOURCES))
$(BUILD)/libdb.a: $(call objects,$(DB_SOURCES)) $(BUILD)/embedded/db_migration_files.o
$(BUILD)/libmail.a: $(call objects,$(MAIL_SOURCES)) $(BUILD)/embedded/mail_template_files.o
$(BUILD)/libservice.a: $(call objects,$(SERVICE_SOURCES)) $(BUILD)/embedded/service_files.o
$(LIBS):
	@mkdir -p $(@D)
	@rm -f $@
	ar rcs $@ $^

$(BUILD)/ludopost: $(BUILD)/service/main.o $(LIBS)
	$(CC) $(LDFLAGS_ALL) $^ -o $@ $(LIBRARIES)

# One test program per tests/*/test_*.c; they speak TAP.
TEST_PROGRAMS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/*/test_*.c))
$(BUILD)/tests/%: $(BUILD)/tests/%.o $(LIBS)
	$(CC) $(LDFLAGS_ALL) $^ -o $@ $(LIBRARIES)
.PHONY: test-programs
test-programs: $(TEST_PROGRAMS)

.PHONY: clean
clean: ## remove what was built
	rm -rf $(BUILD)

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
