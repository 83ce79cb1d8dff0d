# The models of OPUS-MT (Tiedemann and Thottingal 2020), by their languages: downloaded, imported, and scored on a test set of WMT.
#
#   make import PAIR=en-de [OUT=folder]                    with -f this file: OUT/opus-mt-en-de.tt
#   make wmt14 PAIR=en-de                                  its BLEU; any set of data/wmt-sets.mk
#
# PAIR may name groups of languages, as en-ROMANCE; their sentences begin with the target's token, such as >>fr<<.
# BIN: where the programs are.

OUT    = build/opus-mt
BIN    = build/release
server = https://huggingface.co/Helsinki-NLP/opus-mt-$(PAIR)/resolve/main
parts  = config.json generation_config.json source.spm target.spm vocab.json pytorch_model.bin
sets   = $(patsubst %,wmt%,08 09 10 11 12 13 14 14-full 15 16 17 18 19 20 21 22 23 24)
here   = $(dir $(lastword $(MAKEFILE_LIST)))

ifeq ($(PAIR),)
$(error say of which languages, as in "make -f $(firstword $(MAKEFILE_LIST)) import PAIR=en-de")
endif

folder = $(OUT)/opus-mt-$(PAIR)
model  = $(folder).tt

import: $(model)
$(model): $(parts:%=$(folder)/%)
	$(BIN)/tt-import -o $@ $(folder)
$(folder)/%:
	@mkdir -p $(@D)
	curl -fL --retry 3 -o $@.part $(server)/$* && mv $@.part $@

$(sets): $(model)
	$(MAKE) -f $(here)wmt-sets.mk $@ PAIR=$(PAIR) OUT=$(OUT)
	$(BIN)/tt-translate -m $(model) <$(OUT)/$@.$(PAIR).src >$(OUT)/$@.$(PAIR).hyp
	$(BIN)/tt-bleu -l $(PAIR) $(OUT)/$@.$(PAIR).ref <$(OUT)/$@.$(PAIR).hyp

.PHONY: import $(sets)
.SECONDARY:
