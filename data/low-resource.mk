# Little text: which vocabulary suits it, and what sampled segmentations and translated text add, by BLEU with three seeds.
#
#   make -f data/low-resource.mk     with, as needed,
#     [CORPUS=enja|multi30k|toy] [PAIRS=n] [DATA=folder] [OUT=folder] [ROWS="bpe-1000 bpe-4000"] [SEEDS="1 2 3"] [UPDATES=n] [THREADS=n]
#     [MORE="--precision bfloat16"]
#
# Of the corpus the first PAIRS pairs are the parallel text; the target side of the others is text of one language. The rows:
#   bpe-N, unigram-N   N pieces of both languages together, found by BPE or as a unigram model
#   dropout-N          BPE of N pieces whose merges are skipped with probability 0.1 in training (Provilkov et al. 2020)
#   sampled-N          a unigram model of N pieces, whose segmentations are sampled with the exponent 0.2 in training (Kudo 2018)
#   back-N             BPE of N pieces, with the other text, translated back by a model of the other direction, sampled, with a tag
# The table (OUT/table.tsv, table.svg) has the mean and the standard deviation over seeds of BLEU on the development and the test set,
# of the mean of the last checkpoints. A stopped make goes on where it was; a row of another setting is made again.
#
# A row takes 25 minutes on two cores for each seed, and the whole table two nights.

NAME    = low-resource
CORPUS ?= enja
here   := $(dir $(lastword $(MAKEFILE_LIST)))
$(if $(filter multi30k enja toy,$(CORPUS)),,$(error there is no corpus $(CORPUS); there are enja, multi30k and toy))
OUT    ?= build/low-resource-$(CORPUS)
DATA   ?= $(if $(filter toy,$(CORPUS)),$(OUT)/corpus,build/$(CORPUS)/corpus)
include $(here)common.mk

SEEDS   ?= 1 2 3
# The fewest pieces of Japanese are 2,000: it has that many characters.
SIZES   ?= $(if $(filter enja,$(CORPUS)),,1000) 2000 4000 6000 10000
ROWS    ?= $(SIZES:%=bpe-%) $(foreach kind,unigram dropout sampled back,$(if $(filter toy,$(CORPUS)),$(kind)-400,$(kind)-2000 $(kind)-4000))
AVERAGE  = --last 10
COVERAGE = --coverage 1
ifeq ($(CORPUS),multi30k)
pair     = en de
names    = train.lc.norm.tok val.lc.norm.tok test_2016_flickr.lc.norm.tok
PAIRS   ?= 20000
UPDATES ?= 4500
TRAINING = --preset tiny --attention-bias --dropout 0.3 --tokens 4096 --accumulate 2 --warmup 1000 --rate 0.005 --schedule linear \
           --weight-decay 0.1 --valid-every 500 --save-every 50 --keep-last 10 --tokenize none
SEARCH   = --beam 5 --alpha 1
SCORE    = --tokenize none
else ifeq ($(CORPUS),enja)
pair     = en ja
names    = train dev test
PAIRS   ?= 30000
UPDATES ?= 6000
TRAINING = --preset tiny --dropout 0.3 --tokens 4096 --warmup 1000 --rate 0.005 --schedule linear --weight-decay 0.1 --valid-every 500 \
           --save-every 50 --keep-last 10 --tokenize none
SEARCH   = --beam 5
SCORE    = --tokenize none
else
pair     = en ja
names    = train dev test
GZ       =
PAIRS   ?= 300
UPDATES ?= 20
SIZES    = 400
AVERAGE  = --last 2
TRAINING = --preset tiny --encoder-layers 1 --decoder-layers 1 --d-model 32 --d-ff 64 --tokens 512 --warmup 10 --rate 0.004 --schedule linear \
           --valid-every 0 --save-every 5 --keep-last 2 --tokenize char
SEARCH   = --beam 2
SCORE    = --tokenize char
endif
GZ ?= .gz

s    := $(firstword $(pair))
t    := $(lastword $(pair))
text  = $(OUT)/text
side  = $(DATA)/$(word $(1),$(names)).$(2)$(GZ)
kind  = $(firstword $(subst -, ,$(1)))
size  = $(lastword $(subst -, ,$(1)))
algorithm         = $(if $(filter unigram sampled,$(call kind,$(1))),unigram,bpe)
training_dropout  = --subword-dropout 0.1
training_sampled  = --subword-alpha 0.2
# A row's run of a seed is bpe-1000@2.
row   = $(firstword $(subst @, ,$(1)))
seed  = $(lastword $(subst @, ,$(1)))
runs := $(foreach r,$(ROWS),$(SEEDS:%=$(r)@%))
both  = $(1).$(s) $(1).$(t)
$(if $(runs),,$(error ROWS and SEEDS have none; give ROWS="bpe-2000 back-2000" SEEDS="1 2 3"))
$(call number,PAIRS)$(call number,UPDATES)
$(foreach r,$(ROWS),$(if $(filter bpe unigram dropout sampled back,$(call kind,$(r))),,$(error ROWS: there is no row $(r))))

low-resource: $(OUT)/table.tsv $(OUT)/table.svg
	@cat $<

# ---- Text: the first pairs, and the target side of the others.

$(text)/cut: $(call side,1,$(s)) $(call side,1,$(t)) $(OUT)/pairs.flags
	mkdir -p $(@D)
	$(foreach l,$(s) $(t),gzip -dcf < $(call side,1,$(l)) | awk -v pairs=$(PAIRS) 'NR <= pairs' > $(text)/train.$(l);)
	gzip -dcf < $(call side,1,$(t)) | awk -v pairs=$(PAIRS) 'NR > pairs' > $(text)/other
	[ $$(wc -l < $(text)/train.$(t)) = $(PAIRS) ] || { echo "$(call side,1,$(t)) has $$(wc -l < $(text)/train.$(t)) lines, and PAIRS is $(PAIRS)" >&2; exit 1; }
	touch $@
$(call both,$(text)/train) $(text)/other: $(text)/cut ;
$(foreach n,2 3,$(foreach l,$(s) $(t),$(eval $(text)/$(word $(n),- dev test).$(l): $(call side,$(n),$(l)))))
$(call both,$(text)/dev) $(call both,$(text)/test):
	$(own_part) mkdir -p $(@D); gzip -dcf < $< > $(part_of) && mv $(part_of) $@
$(call both,$(text)/dev) $(call both,$(text)/test): $(OUT)/pairs.flags
$(OUT)/subword/%: $(text)/cut $(OUT)/subword.flags
	$(own_part) mkdir -p $(@D); $(BIN)/tt-bpe train -q --type $(firstword $(subst -, ,$*)) --vocab-size $(call size,$*) $(COVERAGE) \
	  --user-symbols '<BT>' -o $(part_of) $(call both,$(text)/train) || [ $$? = 3 ]; mv $(part_of) $@

# ---- Models. Each is an experiment in a folder of its own ($(1)), of languages $(2) and $(3), that learns the text $(4) in pieces $(5).

model = $(MAKE) --no-print-directory -f $(here)experiment.mk NAME=model OUT=$(OUT)/$(1) GZ= SOURCE=$(2) TARGET=$(3) TRAIN=$(4) \
        SUBWORD_MODEL=$(5) DEV=$(text)/dev TEST=$(text)/test BIN=$(BIN) DATA=$(text) AVERAGE='$(AVERAGE)' SEARCH='$(SEARCH)' SCORE='$(SCORE)' \
        THREADS=$(THREADS) ANEW=yes TRAINING='$(TRAINING) --max-updates $(UPDATES) $(MORE) $(6)' $(OUT)/$(1)/score
subword = $(OUT)/subword/$(call algorithm,$(1))-$(call size,$(1))
learns  = $(if $(filter back,$(call kind,$(1))),$(OUT)/$(1)-text/train,$(text)/train)
# The pieces and the text of a row of a second expansion.
.SECONDEXPANSION:
$(runs:%=$(OUT)/%/score): $(OUT)/%/score: $$(call subword,$$(call row,$$*)) $$(call both,$$(call learns,$$(call row,$$*))) \
    $(call both,$(text)/dev) $(call both,$(text)/test) FORCE
	+$(call model,$*,$(s),$(t),$(call learns,$(call row,$*)),$<,$(training_$(call kind,$*)) --seed $(call seed,$*))

# ---- Back-translation, by one model of the other direction for all seeds.

$(OUT)/back-%-reverse/score: $(OUT)/subword/bpe-% $(call both,$(text)/train) $(call both,$(text)/dev) $(call both,$(text)/test) FORCE
	+$(call model,back-$*-reverse,$(t),$(s),$(text)/train,$<,)
$(OUT)/back-%-reverse/model.tt: $(OUT)/back-%-reverse/score ;
$(OUT)/back-%-text/other: $(OUT)/back-%-reverse/model.tt $(text)/other
	[ -s $(text)/other ] || { echo "PAIRS=$(PAIRS) leaves no text to be translated back, which the row back-$* needs" >&2; exit 1; }
	$(own_part) mkdir -p $(@D); $(BIN)/tt-translate -q -m $< --sample --threads $(THREADS) $(text)/other > $(part_of) || [ $$? = 3 ]; mv $(part_of) $@
$(OUT)/back-%-text/train.$(s): $(OUT)/back-%-text/other $(text)/train.$(s)
	$(own_part) { cat $(text)/train.$(s); sed 's/^/<BT> /' $<; } > $(part_of); mv $(part_of) $@
$(OUT)/back-%-text/train.$(t): $(text)/other $(text)/train.$(t)
	$(own_part) mkdir -p $(@D); cat $(text)/train.$(t) $(text)/other > $(part_of); mv $(part_of) $@

# ---- The table

# Row, seed, BLEU on the development set, BLEU on the test set.
$(OUT)/%/both: $(OUT)/%/score
	$(own_part) $(BIN)/tt-translate -q -m $(@D)/model.tt $(SEARCH) --threads $(THREADS) $(text)/dev.$(s) > $(part_of).dev || [ $$? = 3 ]; \
	  bleu() { $(BIN)/tt-bleu -q -b -w 2 --force $(SCORE) $(text)/$$1.$(t) -i $$2 || [ $$? = 3 ]; }; \
	  printf '%s\t%s\t%s\t%s\n' $(call row,$*) $(call seed,$*) $$(bleu dev $(part_of).dev) $$(bleu test $(@D)/test.$(t)) > $(part_of); \
	  rm $(part_of).dev; mv $(part_of) $@
$(OUT)/table.tsv: $(runs:%=$(OUT)/%/both) $(OUT)/rows.flags
	$(own_part) { printf 'row\tseed\tdev BLEU\ttest BLEU\n'; cat $(filter %/both,$^); } > $(part_of).all; $(here)means $(part_of).all > $(part_of); \
	  rm $(part_of).all; mv $(part_of) $@
$(OUT)/table.svg: $(OUT)/table.tsv
	cut -f 1-5 $< | $(BIN)/tt-table-plot -q --y-label BLEU --title "Little text: $(PAIRS) pairs of $(CORPUS)" -o $@ -

corpus = $(foreach n,1 2 3,$(foreach l,$(s) $(t),$(call side,$(n),$(l))))
ifeq ($(CORPUS),toy)
$(if $(filter command environment,$(origin DATA)),$(error DATA is for a corpus that is there; the corpus toy is made in OUT. Omit DATA, or say CORPUS=enja))
$(corpus) &:
	$(BIN)/toy -q --train 400 --dev 30 --test 40 $(DATA)
else
$(corpus) &:
	+$(MAKE) -f $(here)$(CORPUS).mk BIN=$(BIN) DATA=$(DATA) $(corpus)
endif
$(OUT)/pairs.flags: FORCE
	$(call settings,$(CORPUS) $(DATA) $(PAIRS))
$(OUT)/subword.flags: FORCE
	$(call settings,$(COVERAGE))
$(OUT)/rows.flags: FORCE
	$(call settings,$(runs))
.PHONY: low-resource
