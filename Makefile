# Everything here needs the Go toolchain, and nothing else from outside the repository.
GO        ?= go
FUZZTIME  ?= 20s
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
TOOLS     := bin/tools

# buildMetadata: [managedByLabel] in a kustomization prints this version, as the kustomize command does.
KUSTOMIZE := $(shell sed -n 's|.*sigs.k8s.io/kustomize/kustomize/v5 \(v[0-9.]*\).*|\1|p' tools/go.mod)
LDFLAGS   := -s -w -X sigs.k8s.io/kustomize/api/provenance.version=kustomize/$(KUSTOMIZE)

# One setting for everything but the race detector, so that vet, staticcheck and the build share what they compile.
export CGO_ENABLED := 0
export GOFLAGS     := $(strip $(GOFLAGS) -trimpath)

# The race detector needs a C compiler, which is not everywhere.
RACE      := $(if $(shell command -v "$$(CGO_ENABLED=1 $(GO) env CC)"),-race)

# Builds for the systems $(1) into the directory $(2) with the flags $(3).
define build-for
@set -e; for platform in $(1); do \
	echo "build for $$platform"; \
	case $$platform in windows/*) extension=.exe;; *) extension=;; esac; \
	GOOS=$${platform%/*} GOARCH=$${platform#*/} $(GO) build $(3) -ldflags "$(LDFLAGS)" \
		-o $(2)/policyloom-$${platform%/*}-$${platform#*/}$$extension ./cmd/policyloom; \
done
endef

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo build test engines e2e bench fuzz lint generate check-generated cross dist ci clean

help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):[^#]*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | while IFS='|' read -r target text; do \
		printf '%-16s %s\n' "$$target" "$$text"; done

demo: ## render the ready-made policy for the demo fleet
	$(GO) run ./cmd/policyloom render -k policies/vm-dns --fleet testdata/fleets/demo -o table

build: ## build the static program bin/policyloom
	$(GO) build -ldflags "$(LDFLAGS)" -o bin/policyloom ./cmd/policyloom

test: ## run all tests, with the race detector where there is a C compiler
	$(if $(RACE),CGO_ENABLED=1) $(GO) test $(RACE) -timeout 20m ./...

e2e: build $(TOOLS)/.stamp ## run the tests that need the real kustomize and PolicyGenerator
	POLICYLOOM_E2E=1 POLICYLOOM_BINARY="$(CURDIR)/bin/policyloom" POLICYLOOM_KUSTOMIZE="$(CURDIR)/$(TOOLS)/kustomize" \
		POLICYLOOM_POLICYGENERATOR="$(CURDIR)/$(TOOLS)/PolicyGenerator" $(GO) test -count=1 -run '^TestE2E' ./...

engines: ## render policies with the template engines of older releases, and run the sources of external-dns
	$(GO) -C test/engines/v6 test -count=1 ./...
	$(GO) -C test/engines/v4 test -count=1 ./...
	$(GO) -C test/engines/externaldns test -timeout 30m -count=1 ./...

bench: build ## run the benchmarks, which takes a quarter of an hour (SHORT=-short leaves the largest out)
	POLICYLOOM_BINARY="$(CURDIR)/bin/policyloom" $(GO) test $(SHORT) -run '^$$' -bench . -benchmem -timeout 60m ./...

fuzz: ## run each fuzz target for FUZZTIME (20s)
	@set -e; for package in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz' || true); do \
			echo "$$package $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1s $$package; \
		done; \
	done

lint: $(TOOLS)/.stamp ## check the format, and run go vet and staticcheck
	@files=$$($(TOOLS)/gofumpt -l cmd pkg templates test); \
		if [ -n "$$files" ]; then echo "not formatted, run $(TOOLS)/gofumpt -w on:"; echo "$$files"; exit 1; fi
	$(GO) vet ./...
	$(TOOLS)/staticcheck ./...

generate: ## write the generated files: schemas, docs and help texts
	$(GO) generate ./...

check-generated: ## fail if make generate changes anything
	@mkdir -p bin; $(CHECKSUMS) > bin/generated.before
	$(GO) generate ./...
	@$(CHECKSUMS) > bin/generated.after
	@diff bin/generated.before bin/generated.after || { echo 'generated files are outdated: run make generate'; exit 1; }

CHECKSUMS := find . \( -path ./.git -o -path ./bin \) -prune -o -type f -print | LC_ALL=C sort | tr '\n' '\0' | xargs -0 cksum

cross: build ## check that the program builds for all supported systems
	$(call build-for,$(filter-out $(shell $(GO) env GOOS)/$(shell $(GO) env GOARCH),$(PLATFORMS)),bin/cross,$(QUICK))

# Without inlining and debugging information the compiler needs two thirds of the time.
QUICK := -gcflags='all=-l -dwarf=false'

dist: ## build the programs to publish, for all supported systems
	$(call build-for,$(PLATFORMS),dist)

ci: lint check-generated test engines e2e cross ## run everything that a change has to pass

clean: ## remove what was built
	rm -rf bin dist

# All tools of tools/go.mod.
$(TOOLS)/.stamp: tools/go.mod tools/go.sum
	$(GO) -C tools build -o ../$(TOOLS)/ tool
	@touch $@
