# The models that Firefox translates pages with (mozilla/translations), by their languages: found in their public registry, downloaded,
# imported, and scored on a test set of WMT or on FLORES-200.
#
#   make import PAIR=en-de [ARCHITECTURE=base]        with -f this file: OUT/firefox-en-de.tt; tiny, base, base-memory: the first released
#   make wmt14 PAIR=en-de [MODEL=file]                its BLEU, or another model's; any set of data/wmt-sets.mk
#   make flores PAIR=en-de FLORES=eng_Latn-deu_Latn   and on FLORES-200
#
# OUT/firefox-models.json is downloaded once; remove it to see new models. Every model is to or from English. The shortlist of a model
# (lex.*.s2t.bin), with which Firefox looks at few pieces only, is downloaded too and not used: some translations differ.
# BIN: where the programs are.

OUT      = build/firefox
REGISTRY = https://storage.googleapis.com/moz-fx-translations-data--303e-prod-translations-data/db/models.json
ARCHITECTURE =
here := $(dir $(lastword $(MAKEFILE_LIST)))
include $(here)common.mk

ifeq ($(call is_pair,$(PAIR),[a-z]{2}[a-z]?(_[a-z]+)?-[a-z]{2}[a-z]?(_[a-z]+)?),)
$(error PAIR is "$(PAIR)"; say of which languages, as in "make -f $(firstword $(MAKEFILE_LIST)) import PAIR=en-de")
endif

SET     = $(PAIR)
scored  = $(PAIR)$(ARCHITECTURE:%=.%)
folder  = $(OUT)/firefox-$(scored)
model   = $(folder).tt
instead = ; or read a folder that has the model already: tt-import -o $(model) FOLDER
MODEL   = $(model)
example = PAIR=en-zh_hant SET=en-zh
include $(here)scores.mk

import: $(model)
$(model): $(folder)/files
	$(BIN)/tt-import -o $@ $(folder) || [ $$? = 3 ]
# All files are there when their list is. They are compressed.
$(folder)/files: $(OUT)/firefox-models.json
	@mkdir -p $(@D); rm -f $(@D)/*.bin $(@D)/*.spm
	@$(own_part) $(here)firefox-files $(PAIR) $(ARCHITECTURE) <$< >$(part_of); \
	while read -r address; do \
	  name=$${address##*/}; name=$(@D)/$${name%.gz}; \
	  trap 'rm -f $(part_of) '$$name.part EXIT; $(call download,$$address,$$name.part,,list); case $$address in *.gz) gunzip -c <$$name.part >$$name; rm $$name.part;; *) mv $$name.part $$name;; esac; \
	done <$(part_of); mv $(part_of) $@
$(OUT)/firefox-models.json:
	@mkdir -p $(@D)
	@$(own_part) $(call download,$(REGISTRY),$(part_of)); mv $(part_of) $@

.PHONY: import
