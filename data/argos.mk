# The packages of Argos Translate and LibreTranslate, by their languages: found in Argos' index, downloaded, imported, and scored on a
# test set of WMT or on FLORES-200.
#
#   make import PAIR=en-de [OUT=folder]               with -f this file: OUT/argos-en-de.tt
#   make list [OUT=folder]                            the pairs of the index, with versions and addresses
#   make wmt14 PAIR=en-de [MODEL=file]                its BLEU, or another model's; any set of data/wmt-sets.mk
#   make flores PAIR=en-de FLORES=eng_Latn-deu_Latn   and on FLORES-200
#
# Of several versions the latest counts. OUT/argos-index.json is downloaded once; remove it to see new packages. Argos' code for Chinese in
# traditional characters is zt, which no set of WMT has.
# BIN: where the programs are.

OUT   = build/argos
index = https://raw.githubusercontent.com/argosopentech/argospm-index/main/index.json
here := $(dir $(lastword $(MAKEFILE_LIST)))
include $(here)common.mk

ifneq ($(filter-out list,$(or $(MAKECMDGOALS),import)),)
ifeq ($(call is_pair,$(PAIR),[a-z]{2}[a-z]?-[a-z]{2}[a-z]?),)
$(error PAIR is "$(PAIR)"; say of which languages, as in "make -f $(firstword $(MAKEFILE_LIST)) import PAIR=en-de"; "list" prints those there are)
endif
endif

SET     = $(PAIR)
package = $(OUT)/argos-$(PAIR).argosmodel
model   = $(OUT)/argos-$(PAIR).tt
MODEL   = $(model)
scored  = $(PAIR)
instead = ; or read a package that is there already: tt-import -o $(model) FILE.argosmodel
example = PAIR=zt-en SET=zh-en
include $(here)scores.mk

# Of each package of the index: languages, version, address; an object is what stands between braces.
define packages
function value(name,    found) {
  if (!match($$0, "\"" name "\"[ \t\r\n]*:[ \t\r\n]*\"[^\"]*\"")) return ""
  found = substr($$0, RSTART, RLENGTH)
  sub(/^"[^"]*"[^"]*"/, "", found)
  return substr(found, 1, length(found) - 1)
}
BEGIN { RS = "}" }
{ pair = value("from_code") "-" value("to_code"); version = value("package_version") }
pair ~ /.-./ && match($$0, /"(https?|file):[^"]*"/) { print pair "\t" version "\t" substr($$0, RSTART + 1, RLENGTH - 2) }
endef
export packages
listed = awk "$$packages" $(OUT)/argos-index.json | sort -t '	' -k 1,1 -k 2,2V

import: $(model)
$(model): $(package)
	$(BIN)/tt-import -o $@ $< || [ $$? = 3 ]
$(package): $(OUT)/argos-index.json
	@$(own_part) address=$$($(listed) | awk -F '\t' -v pair=$(PAIR) '$$1 == pair { found = $$3 } END { print found }'); \
	[ "$$address" ] || { echo "argos: there is no package for $(PAIR); \"make list\" prints those there are" >&2; exit 1; }; \
	$(call download,$$address,$(part_of)); mv $(part_of) $@
$(OUT)/argos-index.json:
	@mkdir -p $(@D)
	@$(own_part) $(call download,$(index),$(part_of)); mv $(part_of) $@
list: $(OUT)/argos-index.json
	@$(listed) | grep . || { echo "$<: has no packages; is it the index of Argos?" >&2; exit 1; }

.PHONY: import list
