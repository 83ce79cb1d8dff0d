# Models of many languages from Hugging Face, NLLB-200 (NLLB Team 2022) and those like it: downloaded, imported, and scored on a test set of
# WMT or on FLORES-200.
#
#   make import [NAME=facebook/nllb-200-distilled-600M] [OUT=folder]    with -f this file: OUT/nllb-200-distilled-600M.tt
#   make wmt14 PAIR=en-de [MODEL=file]                                  its BLEU, or another model's; any set of data/wmt-sets.mk
#   make flores FLORES=eng_Latn-deu_Latn                                and on FLORES-200
#
# NAME may be any repository whose model tt-import(1) reads: facebook/nllb-200-1.3B, facebook/nllb-200-3.3B, facebook/m2m100_418M,
# facebook/mbart-large-50-many-to-many-mmt. Where a code of PAIR is several languages of the model, FROM and TO name one of them: FROM=zho_Hans.
# BIN: where the programs are. REVISION: of the repository.

NAME     = facebook/nllb-200-distilled-600M
OUT      = build/nllb
REVISION = main
hub      = https://huggingface.co
server   = $(hub)/$(NAME)/resolve/$(REVISION)
listing  = $(hub)/api/models/$(NAME)/revision/$(REVISION)
here    := $(dir $(lastword $(MAKEFILE_LIST)))
include $(here)common.mk

folder = $(OUT)/$(notdir $(NAME))
model  = $(folder).tt
MODEL  = $(model)
SET    = $(PAIR)
FLORES =
scored = $(notdir $(NAME)).$(or $(FLORES),$(SET))
spoken = --from $(or $(FROM),$(1)) --to $(or $(TO),$(2))
example = PAIR=en-de
include $(here)scores.mk

# Of the files of a repository those that an import needs: weights, in the first of these forms that it has, and what the model and its
# pieces are. Those of weights in parts are in an index, whose names are read as all others are: what stands behind a key, in quotes.
forms = model.safetensors model.safetensors.index.json pytorch_model.bin pytorch_model.bin.index.json
parts = config.json generation_config.json sentencepiece.bpe.model sentencepiece.model spiece.model source.spm target.spm vocab.json \
        vocab.txt dict.txt tokenizer.json tokenizer_config.json special_tokens_map.json added_tokens.json
names = grep -oE $(1) $(2) | sed -E 's/.*"([^"]*)"$$/\1/' | sort -u
instead = ; or read a folder that has the model already: tt-import -o $(model) FOLDER
ifeq ($(call is_pair,$(NAME),[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+),)
$(error NAME is "$(NAME)"; give that of a repository, as in NAME=facebook/nllb-200-distilled-600M)
endif

import: $(model)
$(model): $(folder)/complete
	$(BIN)/tt-import -o $@ $(folder) || [ $$? = 3 ]

# The names of the files, the weights first.
$(folder)/files: $(folder)/listing.json
	@$(own_part) all=$$($(call names,'"rfilename" *: *"[^"]*"',$<) || true); has() { grep -qxF -e "$$1" <<<"$$all"; }; \
	form=; for name in $(forms); do if [ -z "$$form" ] && has $$name; then form=$$name; fi; done; \
	[ "$$form" ] && has config.json || { echo "$(NAME): has no model of transformers: no config.json, or none of $(forms)" >&2; exit 1; }; \
	{ echo $$form; for name in $(parts); do if has $$name; then echo $$name; fi; done; } > $(part_of); mv $(part_of) $@
$(folder)/listing.json:
	@mkdir -p $(@D)
	@$(own_part) $(call download,$(listing),$(part_of)); mv $(part_of) $@

# What is there already stays.
$(folder)/complete: $(folder)/files
	@$(own_part) get() { [ -e $(folder)/$$1 ] || { $(call download,$(server)/$$1,$(part_of),,list); mv $(part_of) $(folder)/$$1; }; }; \
	for name in $$(cat $<); do get $$name; done; \
	case $$(sed q $<) in *.index.json) \
	  shards=$$($(call names,'"[^"]*" *: *"[^"/]*\.(safetensors|bin)"',$(folder)/$$(sed q $<)) || true); \
	  [ "$$shards" ] || { echo "$(folder)/$$(sed q $<): names no files of weights" >&2; exit 1; }; \
	  for name in $$shards; do get $$name; done ;; esac; touch $@

.PHONY: import
