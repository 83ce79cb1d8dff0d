# Text in capitals: English captions of Multi30k as people write them, with capitals where sentences and nouns begin, and the test set in
# capitals; to German. A share CAPITALS of the training pairs is read in capitals (tt-train --upper-case).
#
#   make -f data/capitals.mk [CAPITALS=0.02] [DATA=folder]     DATA holds {train,val,test_2016_flickr}.{en,de}.gz; missing files are
#                                                              downloaded
#
# It prints BLEU and chrF of the test set as it is and in capitals, each without tt-translate's --case and with it. One run of each on a
# Zen 5, chrF:
#
#   CAPITALS   as it is   in capitals   with --case
#   0          61.2       1.2           62.1
#   0.02       60.8       37.7          61.7

NAME      = capitals
CAPITALS ?= 0.02
OUT      ?= build/capitals$(if $(filter-out 0.02,$(CAPITALS)),-$(CAPITALS))
DATA     ?= build/multi30k/corpus
SOURCE    = en
TARGET    = de
GZ        = .gz
TRAIN     = $(DATA)/train
DEV       = $(DATA)/val
TEST      = $(DATA)/test_2016_flickr
SUBWORD   = --type bpe --vocab-size 10000 --coverage 1
SUBWORD_MODEL = $(OUT)/capitals.model
TRAINING  = --preset tiny --attention-bias --dropout 0.3 --tokens 4096 --accumulate 2 --rate 0.005 --valid-every 600 --save-every 20 \
            --keep-last 10 --warmup 500 --schedule wsd --cooldown 0.3 --max-updates 1200 --weight-decay 0.1 --upper-case $(CAPITALS) \
            $(if $(filter cpu,$(DEVICE)),--precision auto)
AVERAGE   = --last 10
SEARCH    = --beam 5
SCORE     = -m bleu,chrf

include $(dir $(lastword $(MAKEFILE_LIST)))experiment.mk

upper = gzip -dcf < $< | LC_ALL=C.UTF-8 sed 's/ß/SS/g; s/.*/\U&/'

# The pieces are those of the text and of a twentieth of it in capitals.
$(OUT)/some.%: $(TRAIN).%$(GZ) $(OUT)/data.flags
	$(own_part) $(upper) | awk 'NR % 20 == 0' > $(part_of) && mv $(part_of) $@
$(SUBWORD_MODEL): $(call files,$(TRAIN)) $(OUT)/some.$(SOURCE) $(OUT)/some.$(TARGET) $(OUT)/subword.flags
	$(BIN)/tt-bpe train $(SUBWORD) -o $@ $(filter-out %.flags,$^) || [ $$? = 3 ]
$(OUT)/capitals.%: $(TEST).%$(GZ) $(OUT)/data.flags
	$(own_part) $(upper) > $(part_of) && mv $(part_of) $@
$(OUT)/test.case.$(TARGET): $(OUT)/model.tt $(TEST).$(SOURCE)$(GZ) $(OUT)/search.flags
	$(own_part) gzip -dcf < $(word 2,$^) | $(BIN)/tt-translate -m $< $(SEARCH) --case > $(part_of) || [ $$? = 3 ]; mv $(part_of) $@
$(OUT)/test.capitals.$(TARGET): $(OUT)/model.tt $(OUT)/capitals.$(SOURCE) $(OUT)/search.flags
	$(own_part) $(BIN)/tt-translate -m $< $(SEARCH) < $(word 2,$^) > $(part_of) || [ $$? = 3 ]; mv $(part_of) $@
$(OUT)/test.capitals.case.$(TARGET): $(OUT)/model.tt $(OUT)/capitals.$(SOURCE) $(OUT)/search.flags
	$(own_part) $(BIN)/tt-translate -m $< $(SEARCH) --case < $(word 2,$^) > $(part_of) || [ $$? = 3 ]; mv $(part_of) $@
$(OUT)/capitals.score: $(OUT)/capitals.$(TARGET) $(OUT)/test.$(TARGET) $(OUT)/test.case.$(TARGET) $(OUT)/test.capitals.$(TARGET) \
                       $(OUT)/test.capitals.case.$(TARGET) $(TEST).$(TARGET)$(GZ) $(OUT)/score.flags
	$(own_part) { $(BIN)/tt-bleu $(SCORE) --format md $(word 6,$^) -i as-it-is=$(word 2,$^) with--case=$(word 3,$^) || [ $$? = 3 ]; \
	  $(BIN)/tt-bleu $(SCORE) --format md $< -i in-capitals=$(word 4,$^) with--case=$(word 5,$^) || [ $$? = 3 ]; } > $(part_of); mv $(part_of) $@
$(NAME): $(OUT)/capitals.score

$(DATA)/%.gz:
	$(call fetch,https://raw.githubusercontent.com/multi30k/dataset/master/data/task1/raw/$*.gz)
