# Models that read the sentences before each, beside one that does not, on documents of the embedded grammar (data/documents.cc): Japanese
# leaves unsaid who a sentence is about, which English says; and documents are polite throughout or plain, which English does not show.
#
#   make -f data/context.mk [ROWS="none source both"] [SEEDS="1"] [UPDATES=n] [OUT=folder]
#
# For each row and direction: BLEU of the test set's translation, and how often the true sentence is likelier than one with another pronoun, or
# in the other style, given the true sentences before it (`tt-translate --score`). A model of sentences is at chance.

here := $(dir $(lastword $(MAKEFILE_LIST)))
OUT     ?= build/context
DATA     = $(OUT)/corpus
ROWS    ?= none source both
SEEDS   ?= 1
UPDATES ?= 1500
help:
	@sed -n '/^$$/q; s/^# \{0,1\}//p' $(firstword $(MAKEFILE_LIST))
include $(here)common.mk
flags_none   =
flags_source = --context 2 --context-sides source
flags_both   = --context 2
TRAINING = --preset tiny --encoder-layers 2 --decoder-layers 2 --dropout 0 --tokens 2048 --warmup 200 --rate 0.004 --max-length 128 \
           --max-updates $(UPDATES) --valid-every 0 --save-every 50 --keep-last 5 --tokenize char
settings_data     = $(UPDATES)
settings_training = $(TRAINING)

texts = $(foreach p,train dev test contrast other,$(DATA)/$(p).en $(DATA)/$(p).ja)
$(texts) &: $(OUT)/data.flags
	$(BIN)/toy --documents --train 8000 --dev 100 --test 150 $(DATA)
$(OUT)/subword.model: $(DATA)/train.en $(DATA)/train.ja
	$(BIN)/tt-bpe train -q --separator --type bpe --vocab-size 1500 --coverage 1 -o $@ $^ || [ $$? = 3 ]

# A run is ROW@FROM-TO@SEED.
field = $(word $(2),$(subst @, ,$(1)))
from  = $(firstword $(subst -, ,$(call field,$(1),2)))
to    = $(lastword $(subst -, ,$(call field,$(1),2)))
side  = $(DATA)/$(1).$(2)
$(OUT)/%/model.tt: $(texts) $(OUT)/subword.model $(OUT)/training.flags
	mkdir -p $(@D); $(BIN)/tt-train -q --unchanged $(TRAINING) $(flags_$(call field,$*,1)) --seed $(call field,$*,3) --subword $(OUT)/subword.model -o $(@D)/run \
	  --train $(call side,train,$(call from,$*)) $(call side,train,$(call to,$*)) --dev $(call side,dev,$(call from,$*)) $(call side,dev,$(call to,$*)) \
	  --threads $(THREADS) $(on_device) || [ $$? = 3 ]
	$(BIN)/tt-average -q --last 5 -o $@ $(@D)/run
# Of each document of the contrast its last line counts.
$(OUT)/%/row: $(OUT)/%/model.tt
	$(own_part) $(foreach f,contrast other,$(BIN)/tt-translate -q -m $< --score $(call side,$(f),$(call to,$*)) --threads $(THREADS) $(call side,contrast,$(call from,$*)) > $(@D)/$(f) || [ $$? = 3 ];) \
	$(BIN)/tt-translate -q -m $< --threads $(THREADS) $(call side,test,$(call from,$*)) > $(@D)/test || [ $$? = 3 ]; \
	bleu=$$($(BIN)/tt-bleu -q -b --force --tokenize char --width 2 $(call side,test,$(call to,$*)) -i $(@D)/test || [ $$? = 3 ]); \
	paste $(@D)/contrast $(@D)/other $(call side,contrast,$(call from,$*)) | awk -F '\t' -v row='$(subst @,	,$*)' -v bleu="$$bleu" \
	  '$$3 == "" { ++n; right += one > other } { one = $$1; other = $$2 } END { printf "%s\t%s\t%.1f\n", row, bleu, 100 * right / n }' > $(part_of) && mv $(part_of) $@
runs = $(foreach r,$(ROWS),$(foreach d,ja-en en-ja,$(foreach s,$(SEEDS),$(OUT)/$(r)@$(d)@$(s))))
$(OUT)/context.tsv: $(addsuffix /row,$(runs))
	$(own_part) { printf 'row\tdirection\tseed\tBLEU\tcontrast\n'; cat $^; } > $(part_of) && mv $(part_of) $@
context: $(OUT)/context.tsv
	@cat $<
$(patsubst settings_%,$(OUT)/%.flags,$(filter settings_%,$(.VARIABLES))): $(OUT)/%.flags: FORCE
	$(call settings,$(settings_$*))
.PHONY: help context
.PRECIOUS: $(OUT)/%/model.tt
