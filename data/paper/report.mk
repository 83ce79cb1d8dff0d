# The report: a page of all that is there, which a browser prints as a PDF. It depends on no table, as nothing is to be trained for it.

BROWSER ?= chromium
browser  = $(or $(shell command -v $(BROWSER)),$(error $(BROWSER), which prints the report as a PDF, is missing. Install it, or give BROWSER=program, as chromium or google-chrome; or make $(OUT)/report.html alone))
# As root Chromium starts without a sandbox alone. The page is our own, and has no script.
printed  = $(browser) --headless $(if $(filter 0,$(shell id -u)),--no-sandbox) --disable-gpu --no-pdf-header-footer --user-data-dir=$@.browser

# What is missing is made by this and its target.
remake   = make -f $(firstword $(MAKEFILE_LIST)) $(MAKEOVERRIDES)

$(OUT)/report.html: FORCE
	@$(own_part) mkdir -p $(@D); $(paper)report $(OUT) $(BIN) '$(subst ','\'',$(remake))' > $(part_of) && mv $(part_of) $@
$(OUT)/report.pdf: $(OUT)/report.html
	@trap 'rm -rf $@.browser $@.log $(part_of)' EXIT; $(printed) --print-to-pdf=$(part_of) 'file://$(abspath $<)' > $@.log 2>&1 && [ -s $(part_of) ] && \
	  mv $(part_of) $@ || { cat $@.log >&2; exit 1; }
report: $(OUT)/report.html $(OUT)/report.pdf
	@printf '%s\n' $^
