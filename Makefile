# Each command installs what is missing first; the work is done by scripts/.
.DEFAULT_GOAL := help
.PHONY: help build demo test test-long bench bench-large fuzz gallery format lint sbom docs clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## Build the optimised inbox; the last line is its path
	@scripts/build

demo: ## Run a server with three people and a few messages, until Ctrl-C
	@exec scripts/demo

test: ## Run all checks: format, build, tests, the REST API, clients from PyPI, a consumer's dependencies, documentation
	@scripts/test

test-long: ## Run the tests at full size; ONLY="simulation fuzz" for some of its steps
	@scripts/test --long $(ONLY)

bench: ## Run the benchmarks beside their raw counterparts
	@scripts/bench

bench-large: ## Compare PostgreSQL databases of up to 1,000,000 people, 10,000,000 where the disk has room; half an hour and more
	@scripts/bench --large --filter postgresql-growth

fuzz: ## Give the parsers and the server malformed and hostile input, for ten minutes; FUZZ=html for one surface, SECONDS=60 for less, RUNS=10000000 for that many inputs
	@scripts/bootstrap
	@scripts/fuzz --seconds $(or $(SECONDS),600) $(if $(RUNS),--runs $(RUNS)) $(FUZZ)

gallery: ## Show every kind of card, the screens of each vendor and cleaned mail, as pages and pictures; the last lines are their names
	@scripts/bootstrap
	@scripts/gallery
	@scripts/html-gallery
	@scripts/screen-gallery

format: ## Format every Swift file
	@scripts/bootstrap
	@scripts/lint --fix

lint: ## Check format, floors, SQL, words, names of tests and time limits
	@scripts/bootstrap
	@scripts/lint

sbom: ## Write down what the package is made of, as CycloneDX; the last line is the file
	@scripts/bootstrap
	@scripts/sbom

docs: ## Build the documentation; the last line is its folder
	@scripts/docs

clean: ## Remove what was built
	rm -rf .build
