# Models of COMET (Rei et al. 2022), by their names: downloaded with the files of their encoders, imported, and compared with scores that
# unbabel-comet gives.
#
#   make -f data/comet.mk import [MODEL=wmt22-comet-da] [OUT=folder]     OUT/MODEL.tt; 2.3 GB are downloaded
#   make -f data/comet.mk example [MODEL=]                               its scores of the example in COMET's README, and theirs
#   make -f data/comet.mk wmt22 PAIR=en-de HYP=file                      scores the translations of a test set: wmt22, wmt21, ...
#
# MODEL: wmt22-comet-da and wmt20-comet-da (Apache 2.0), eamt22-cometinho-da (small), or wmt22-cometkiwi-da (no references; CC BY-NC-SA 4.0,
# to be accepted at huggingface.co, and HF_TOKEN is yours). ENCODER: the encoder of another model, as its hparams.yaml names it.
# Models of Marian, without references (Gowda et al. 2023): cometoid22-wmt22, cometoid22-wmt23, chrfoid-wmt23.
# COMET-22 agrees with 83.9 % of the pairwise choices that people made between systems of WMT22 (Freitag et al. 2022).
# BIN: where the programs are.

OUT     = build/comet
MODEL   = wmt22-comet-da
ENCODER = $(or $(encoder.$(MODEL)),xlm-roberta-large)
server  = https://huggingface.co
encoder.wmt22-comet-da      = FacebookAI/xlm-roberta-large
encoder.wmt20-comet-da      = FacebookAI/xlm-roberta-large
encoder.wmt22-cometkiwi-da  = microsoft/infoxlm-large
encoder.eamt22-cometinho-da = microsoft/Multilingual-MiniLM-L12-H384
# What unbabel-comet gives for the two segments of the example.
scores.wmt22-comet-da = 0.8417 0.7745
sets   = $(patsubst %,wmt%,08 09 10 11 12 13 14 14-full 15 16 17 18 19 20 21 22 23 24)
here  := $(dir $(lastword $(MAKEFILE_LIST)))
include $(here)common.mk

ifneq ($(filter $(sets),$(MAKECMDGOALS)),)
$(if $(call is_pair,$(PAIR),[a-z]{2}[a-z]?-[a-z]{2}[a-z]?),,$(error PAIR is "$(PAIR)"; say of which languages, as in PAIR=en-de))
$(if $(HYP),,$(error say of which translations, as in HYP=file))
endif

folder = $(OUT)/$(MODEL)
model  = $(folder).tt
score  = $(BIN)/tt-bleu -m comet --model $(model)
# Models with a licence that must be accepted need a name to be downloaded by.
get    = $(own_part) $(call download,$(server)/$(1),$(part_of),$(if $(HF_TOKEN),-H "Authorization: Bearer $$HF_TOKEN")); mv $(part_of) $@
instead = ; or read a folder that has the model already: tt-import -o $(model) FOLDER
export HF_TOKEN

marian = $(filter cometoid% chrfoid%,$(MODEL))
files  = $(if $(marian),checkpoints/marian.model.bin vocab.spm README.md,hparams.yaml checkpoints/model.ckpt README.md config.json \
         sentencepiece.bpe.model)

import: $(model)
$(model): $(addprefix $(folder)/,$(files))
	$(BIN)/tt-import -o $@ $(folder) || [ $$? = 3 ]
$(folder)/config.json $(folder)/sentencepiece.bpe.model: $(folder)/%:
	@mkdir -p $(@D)
	@$(call get,$(ENCODER)/resolve/main/$*)
$(folder)/%:
	@mkdir -p $(@D)
	@$(call get,$(if $(marian),marian-nmt,Unbabel)/$(MODEL)/resolve/main/$*)

# Reference-free models do not read the references.
example: $(model)
	printf '%s\n' '10 到 15 分钟可以送到吗' 'Pode ser entregue dentro de 10 a 15 minutos?' >$(folder).src
	printf '%s\n' 'Can I receive my food in 10 to 15 minutes?' 'Can you send it for 10 to 15 minutes?' >$(folder).mt
	printf '%s\n' 'Can it be delivered between 10 to 15 minutes?' 'Can it be delivered between 10 to 15 minutes?' >$(folder).ref
	$(score) -q --source $(folder).src $(folder).ref -i $(folder).mt --sentence | paste -s -d ' '
	@echo '$(or $(scores.$(MODEL)),no scores of unbabel-comet are known here for $(MODEL))'

$(sets): $(model)
	$(MAKE) -f $(here)wmt-sets.mk $@ PAIR=$(PAIR) OUT=$(OUT)
	$(score) --source $(OUT)/$@.$(PAIR).src $(OUT)/$@.$(PAIR).ref$(REF:%=-%) -i $(HYP) || [ $$? = 3 ]

.PHONY: import example $(sets)
