# The models of OPUS-MT (Tiedemann and Thottingal 2020), by their languages: downloaded, imported, scored on a test set of WMT, and
# trained on with text of one's own.
#
#   make import PAIR=en-de [OUT=folder]                    with -f this file: OUT/opus-mt-en-de.tt
#   make wmt14 PAIR=en-de [MODEL=file] [SET= TOKEN=]       its BLEU, or another model's; any set of data/wmt-sets.mk
#   make flores PAIR=en-de FLORES=eng_Latn-deu_Latn        and on FLORES-200
#   make tune PAIR=en-de TRAIN="my.en my.de" [DEV="dev.en dev.de"] [TUNING="options of tt-train"]
#                                                          OUT/opus-mt-en-de.tuned.tt; the same command goes on where it stopped
#
# PAIR may name groups of languages, as en-ROMANCE: then SET names the languages of the test set. If the target is a group, the
# sentences begin with the target's token, in TRAIN and DEV as well: make wmt14 PAIR=en-ROMANCE SET=en-fr TOKEN='>>fr<<'
# BIN: where the programs are.

OUT    = build/opus-mt
server = https://huggingface.co/Helsinki-NLP/opus-mt-$(PAIR)/resolve/main
parts  = config.json generation_config.json source.spm target.spm vocab.json pytorch_model.bin
# tt-train has settings of its own for a model that is trained already.
TUNING =
AVERAGE = --last 5
here  := $(dir $(lastword $(MAKEFILE_LIST)))
include $(here)common.mk

ifeq ($(call is_pair,$(PAIR),[A-Za-z0-9_+]+(-[A-Za-z0-9_+]+)+),)
$(error PAIR is "$(PAIR)"; say of which languages, as in "make -f $(firstword $(MAKEFILE_LIST)) import PAIR=en-de")
endif

ifneq ($(filter tune,$(MAKECMDGOALS)),)
$(if $(filter 2,$(words $(TRAIN))),,$(error say with which text, as in TRAIN="my.en my.de"))
endif

SET    = $(PAIR)
TOKEN  =
folder = $(OUT)/opus-mt-$(PAIR)
model  = $(folder).tt
MODEL  = $(model)
tuned  = $(folder).tuned
instead = ; or read a folder that has the model already: tt-import -o $(model) FOLDER
scored = $(PAIR)
example = PAIR=en-ROMANCE SET=en-fr TOKEN='>>fr<<'
include $(here)scores.mk

import: $(model)
$(model): $(parts:%=$(folder)/%)
	$(BIN)/tt-import -o $@ $(folder) || [ $$? = 3 ]
$(folder)/%:
	@mkdir -p $(@D)
	@$(own_part) $(call download,$(server)/$*,$(part_of)); mv $(part_of) $@

# tt-train is called every time: it resumes a run, and leaves a complete one as it is.
tune: $(tuned).tt
$(tuned)/done: $(model) $(TRAIN) $(DEV) $(tuned).data.flags FORCE
	$(BIN)/tt-train --unchanged --from $< --train $(TRAIN) $(if $(DEV),--dev $(DEV)) $(TUNING) -o $(@D) --log $(tuned).jsonl || [ $$? = 3 ]
$(tuned).tt: $(tuned)/done $(tuned).average.flags
	$(BIN)/tt-average $(AVERAGE) -o $@ $(<D)

# A run that has ended does not look at its text again.
$(tuned).data.flags: $(TRAIN) $(DEV) FORCE
	@$(own_part) mkdir -p $(@D); { echo $(TRAIN) $(DEV); cat $(TRAIN) $(DEV) | cksum; } > $(part_of); cmp -s $(part_of) $@ || \
	  { [ ! -d $(tuned) ] || [ ! -e $@ ] || { echo "$(tuned): was tuned on $$(sed q $@) as they were; remove it, or give another OUT" >&2; exit 1; }; \
	    mv $(part_of) $@; }

$(tuned).average.flags: FORCE
	$(call settings,$(AVERAGE))

.PHONY: import tune
