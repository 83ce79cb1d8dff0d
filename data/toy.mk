# The demonstration: a translator from English to Japanese, from nothing, in less than three minutes on two processors. The corpus
# is made by the grammar in this folder; no sentence of the test set occurs in the training set.
#
#   make demo

NAME     = toy
OUT     ?= build/demo
SOURCE   = en
TARGET   = ja
GZ       =
TRAIN    = $(DATA)/train
DEV      = $(DATA)/dev
TEST     = $(DATA)/test
SUBWORD  = --type bpe --vocab-size 1500 --coverage 1
TRAINING = --preset tiny --encoder-layers 2 --decoder-layers 2 --dropout 0 --tokens 1024 --warmup 200 --rate 0.004 \
           --max-updates 1500 --valid-every 500 --save-every 50 --keep-last 5 --tokenize char
AVERAGE  = --last 5
SEARCH   = --beam 4
SCORE    = --tokenize char

# Three lines each: source, translation, reference.
demo: $(OUT)/score $(OUT)/test.$(TARGET) $(OUT)/attention.png
	@echo; echo 'Sentences it had never seen: source, translation, reference'
	@paste -d '\n' $(TEST).$(SOURCE) $(OUT)/test.$(TARGET) $(TEST).$(TARGET) | sed -n '1~3s/^/\n  /; /^\n/!s/^/  /; 1,24p'
	@echo; cat $(OUT)/score
	@echo 'Where the translator looked in "'"$$($(sample))"'": $(OUT)/attention.png'

include data/experiment.mk

$(foreach part,$(TRAIN) $(DEV) $(TEST),$(call files,$(part))) &:
	$(BIN)/toy $(DATA)

# A sentence whose clauses change places, if there is one.
sample = awk 'NR == 1 || /because/ { s = $$0 } /because/ { exit } END { print s }' $(TEST).$(SOURCE)
$(OUT)/attention.jsonl: $(OUT)/model.tt $(TEST).$(SOURCE)
	$(sample) | $(BIN)/tt-translate -q -m $< $(SEARCH) --attention $@ > /dev/null
$(OUT)/attention.png: $(OUT)/attention.jsonl
	$(BIN)/tt-attention-plot --mean -o $@ $<

.PHONY: demo
