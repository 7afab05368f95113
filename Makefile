# The few verbs; `make help` lists them. Whatever a verb needs and the machine lacks, it installs first.

# Outside the clone: a clone stays small, and several share what they have in common.
CARGO_TARGET_DIR ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/recourse/target
export CARGO_TARGET_DIR

# DEMO=0 starts an empty Recourse instead of the demonstration.
DEMO ?= 1

.PHONY: help run test drill bench web lint fmt postgres

help:
	@echo 'make run        build Recourse and start it with the demonstration (DEMO=0: without)'
	@echo 'make test       run every check and test, ending in a browser'
	@echo 'make drill      the long forms: 100 kills, timing of sign-in, the API as each role, an hour of fuzzing (DRILL=NAME: one)'
	@echo 'make bench      time reading a payload and telling a difference'
	@echo 'make web        build the web bundle'
	@echo 'make lint       check formatting, rules and lints'
	@echo 'make fmt        format the code'
	@echo 'make postgres   run a throw-away PostgreSQL until Ctrl-C'

run:
	@xtask/install.sh run
	@cargo xtask web
	@cargo build --package recourse
	@exec $(CARGO_TARGET_DIR)/debug/recourse serve $(if $(filter-out 0,$(DEMO)),--demo)

test:
	@xtask/install.sh test
	@cargo xtask test

drill:
	@xtask/install.sh drill
	@cargo xtask drill $(if $(DRILL),--only $(DRILL))

bench:
	@cargo bench --package recourse-domain

web:
	@xtask/install.sh run
	@cargo xtask web

lint:
	@cargo xtask test --only fmt,rules,lint

fmt:
	@cargo fmt --all

postgres:
	@cargo xtask postgres
