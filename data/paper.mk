# The tables and figures of "Attention Is All You Need" in miniature, and the recurrent models that it is compared with. Each ends in a
# table (TSV), a picture (SVG), and lines that say whether the paper's ordering was found, with the spread over seeds.
#
#   make table1 table2 table3 table4 lengths extrapolate figures report     with -f this file, and, as needed,
#     [CORPUS=multi30k|enja|toy] [DATA=folder] [TREEBANK=folder] [QUICK=1] [SEEDS="1 2 3"] [UPDATES=n] [TREE_UPDATES=n] [OUT=folder]
#     [DEVICE=cuda PRECISION=bfloat16]
#
#   table1    time and memory of one layer against n and d, sequential operations, the longest path: measured
#   table2    BLEU against the operations of training: Transformers, and LSTMs with each attention and without
#   table3    heads, d_k, size, dropout, smoothing, positions; scores of attention and a window, perplexity and BLEU on the development set
#   table4    constituency parsing: F1 on dev.mrg.gz in TREEBANK, after training on train.mrg.gz there
#   lengths   BLEU against the length of the reference: the Transformer, and LSTMs with and without attention
#   extrapolate  BLEU against the length of the source, of models trained on short sentences: sinusoidal, learned, relative, no positions
#   figures   positional encodings; which heads look at the previous token and, in a model that parses, at the head of a phrase; masked
#             attention; attention where word order changes (with CORPUS=enja it does most)
#   report    what is there of all these as a page, OUT/report.html, and report.pdf: the paper's numbers beside ours, the spread over seeds,
#             verdicts, commands, machines and commits, and what is missing. Nothing is trained for it
#
# TABLE2, TABLE3, TABLE4, LENGTHS and EXTRAPOLATE name rows; those that each has are below. What was made with other settings is made again. Of the rows
# in ENSEMBLES the models of all seeds translate together too, in table 2. Rows in ONCE, more than 1 BLEU from base or half an hour in the
# making, have one seed. UPDATES is how long each training is, TREE_UPDATES that of those of table 4.
#
# QUICK=1: the embedded corpus, and trees that are made up unless TREEBANK says where others are, in minutes. With a corpus of its own a row
# of a table takes 3 to 12 minutes on two cores for each seed, small half an hour: a night for each table. A stopped make goes on where it
# was, inside a training too; with another DEVICE as well, which is no reason to make anything again. DATA is as data/multi30k.mk and
# data/enja.mk have it; what is missing they download.

here  := $(dir $(lastword $(MAKEFILE_LIST)))
paper := $(here)paper/
quick := $(filter-out 0 no off false,$(QUICK))
comma := ,
CORPUS  ?= $(if $(quick),toy,multi30k)
OUT     ?= build/paper-$(CORPUS)
ifeq ($(CORPUS),toy)
$(if $(filter command environment,$(origin DATA)),$(error DATA is for a corpus that is there; the corpus toy is made in $(OUT)/toy. Omit DATA, or say CORPUS=multi30k or enja))
DATA      = $(OUT)/toy
else
DATA     ?= $(OUT)/corpus
endif
TREEBANK ?= $(OUT)/$(if $(quick),toy-trees,treebank)
SEEDS    ?= $(if $(quick),1 2,1 2 3)
$(if $(strip $(SEEDS)),,$(error SEEDS is empty; give one seed at least, as in SEEDS="1 2 3"))
$(if $(filter $(words $(SEEDS)),$(words $(sort $(SEEDS)))),,$(error SEEDS is "$(SEEDS)"; give each seed once))
help:
	@sed -n '/^$$/q; s/^# \{0,1\}//p' $(firstword $(MAKEFILE_LIST))
include $(here)common.mk
# Characters of a list that are no digits.
other_than_digits = $(strip $(subst 0,,$(subst 1,,$(subst 2,,$(subst 3,,$(subst 4,,$(subst 5,,$(subst 6,,$(subst 7,,$(subst 8,,$(subst 9,,$(1))))))))))))
$(if $(call other_than_digits,$(SEEDS))$(filter 0%,$(SEEDS)),$(error SEEDS is "$(SEEDS)"; give whole numbers from 1 on, as in SEEDS="1 2 3"))

# ---- The corpora. MODEL: the Transformer that rows change; SMALL: a larger one; LSTM: the recurrent one; TRAINING: of them all. Where
# that takes hours, a row that diverges goes on from its last checkpoint at half the rate.
# Layers are normalised before each sub-layer, as the paper's own Tensor2Tensor came to do: normalised after it, the row post, models of 6 + 6
# layers learn little in runs as short as these. The rate, but for the toy's, is 1.8 times the paper's, which falls with the root of the width.
# Checkpoints are close: the mean of ten that are 100 updates apart was worse by 3 BLEU than that of the last two (Multi30k's development set).

ifeq ($(CORPUS),toy)
GZ        =
UPDATES  ?= 400
SIZES     = --train 4000 --dev 100 --test 200
pair      = en ja
part_train = train
part_dev   = dev
part_test  = test
SUBWORD   = --type bpe --vocab-size 1500 --coverage 1
MODEL     = --preset tiny --norm pre --encoder-layers 2 --decoder-layers 2
SMALL     = --preset tiny --norm pre --encoder-layers 2 --decoder-layers 2 --d-model 192 --d-ff 384
LSTM      = --type lstm --preset tiny --bidirectional
TRAINING  = --dropout 0.1 --tokens 1024 --warmup 100 --rate 0.004 --schedule linear --save-every 5 --keep-last 4 --tokenize char
AVERAGE   = --last 4
SEARCH    = --beam 4
SCORE     = --tokenize char
LENGTH_STEP = 5
else
GZ        = .gz
MODEL     = --preset tiny --norm pre
SMALL     = --preset small --norm pre
LSTM      = --type lstm --preset tiny --bidirectional
TRAINING  = --dropout 0.2 --tokens 4096 --warmup 1000 --rate-scale 1.8 --schedule linear --save-every 20 --keep-last 10 --tokenize none \
            --on-divergence rollback
AVERAGE   = --last 10
SCORE     = --tokenize none
LENGTH_STEP = 4
endif
ifeq ($(CORPUS),multi30k)
UPDATES  ?= 2000
pair      = en de
part_train = train.lc.norm.tok
part_dev   = val.lc.norm.tok
part_test  = test_2016_flickr.lc.norm.tok
SUBWORD   = --type bpe --vocab-size 10000 --coverage 1
SEARCH    = --beam 5 --alpha 1
else ifeq ($(CORPUS),enja)
UPDATES  ?= 2000
pair      = en ja
part_train = train
part_dev   = dev
part_test  = test
SUBWORD   = --type bpe --vocab-size 8000 --normalisation nmt_nfkc
SEARCH    = --beam 5
else ifneq ($(CORPUS),toy)
$(error there is no corpus $(CORPUS); there are multi30k, enja and toy)
endif

# Of a variable, and of one that is compared with the warm-up among other options.
one_number = $(if $(call other_than_digits,$($(1)))$(filter-out 1,$(words $($(1)))),$(error $(1) is "$($(1))"; give one whole number))
positive   = $(call one_number,$(1))$(if $(subst 0,,$(strip $($(1)))),,$(error $(1) is "$($(1))"; give a whole number from 1 on))
warmup     = $(or $(patsubst --warmup=%,%,$(filter --warmup=%,$(subst --warmup ,--warmup=,$($(1))))),0)
updates_ok = $(call one_number,$(1))$(if $(shell [ $($(1)) -gt $(call warmup,$(2)) ] 2>/dev/null && [ $($(1)) -lt 1000000000 ] || echo no),$(error \
             $(1) is $($(1)); give more than $(call warmup,$(2)), in which the rate rises, and less than 1000000000))
$(call updates_ok,UPDATES,TRAINING)

source = $(firstword $(pair))
target = $(lastword $(pair))
side   = $(DATA)/$(part_$(1)).$(2)$(GZ)
both   = $(call side,$(1),$(source)) $(call side,$(1),$(target))

# ---- The rows: a name, and what is other in it.

flags_base         = $(MODEL)
flags_small        = $(SMALL)
flags_lstm-none    = $(LSTM) --attention none
flags_lstm-dot     = $(LSTM) --attention dot
flags_lstm-general = $(LSTM) --attention general
flags_lstm-concat  = $(LSTM) --attention concat
$(foreach h,1 2 8 16,$(eval flags_heads-$(h) = $$(MODEL) --heads $(h)))
$(foreach k,8 16,$(eval flags_dk-$(k) = $$(MODEL) --d-k $(k)))
$(foreach n,1 6,$(eval flags_layers-$(n) = $$(MODEL) --encoder-layers $(n) --decoder-layers $(n)))
$(foreach d,64 192,$(eval flags_d-$(d) = $$(MODEL) --d-model $(d)))
$(foreach f,64 512,$(eval flags_ff-$(f) = $$(MODEL) --d-ff $(f)))
$(foreach p,0 0.3,$(eval flags_dropout-$(p) = $$(MODEL) --dropout $(p)))
$(foreach p,0 0.2,$(eval flags_smoothing-$(p) = $$(MODEL) --label-smoothing $(p)))
flags_post         = $(MODEL) --norm post
flags_learned      = $(MODEL) --positions learned
flags_no-positions = $(MODEL) --positions none
flags_dot          = $(MODEL) --scores dot
flags_additive     = $(MODEL) --scores additive
flags_window-4     = $(MODEL) --window 4

TABLE2 ?= lstm-none lstm-dot lstm-general lstm-concat base small
TABLE3 ?= base heads-1 heads-2 heads-8 heads-16 dk-8 dk-16 layers-1 layers-6 d-64 d-192 ff-64 ff-512 dropout-0 dropout-0.3 \
          smoothing-0 smoothing-0.2 post learned no-positions dot additive window-4
ENSEMBLES ?= $(if $(word 2,$(SEEDS)),$(filter $(TABLE2),lstm-dot base))
ONCE      ?= small lstm-none heads-8 heads-16 dk-8 layers-1 d-64 ff-64 dropout-0 dropout-0.3 learned no-positions dot additive

# ---- From a row and a seed, base@1, to its numbers.

row  = $(firstword $(subst @, ,$(1)))
seed = $(lastword $(subst @, ,$(1)))
runs = $(foreach r,$(1),$(foreach s,$(if $(filter $(r),$(ONCE)),$(firstword $(SEEDS)),$(SEEDS)),$(OUT)/runs/$(r)@$(s)))
# The last training's number of that name in a log.
from_log = sed -nE 's/.*"event":"$(1)".*"$(2)":([-+0-9.e]+).*/\1/p' $(3) | tail -n 1

# All that decides what is made, by what it decides.
settings_data    = $(CORPUS) $(DATA) $(SIZES)
settings_subword = $(SUBWORD)
settings_average = $(AVERAGE)
settings_search  = $(SEARCH)
settings_score   = $(SCORE)
settings_rows2   = $(TABLE2) $(ENSEMBLES) $(SEEDS) $(ONCE)
settings_rows3   = $(TABLE3) $(SEEDS) $(ONCE)
settings_seeds   = $(SEEDS)

$(OUT)/subword.model: $(call both,train) $(OUT)/data.flags $(OUT)/subword.flags
	mkdir -p $(@D); touch $@.asked
	$(BIN)/tt-bpe train -q $(SUBWORD) -o $@ $(call both,train) || [ $$? = 3 ]
	$(call as_old,$@.asked,$@)

# Before hours of training: the texts that are scored are there, and have as many lines in both languages.
lines_in = $$($(if $(GZ),gzip -dc,cat) $(call side,$(part),$(1)) | grep -c '' || true)
$(OUT)/pairs: $(call both,dev) $(call both,test) $(OUT)/data.flags
	$(foreach part,dev test,[ $(call lines_in,$(source)) -gt 0 ] || { echo "$(call side,$(part),$(source)) has no lines" >&2; exit 1; }; \
	  [ $(call lines_in,$(source)) = $(call lines_in,$(target)) ] || \
	  { echo "$(call side,$(part),$(source)) has $(call lines_in,$(source)) lines, $(call side,$(part),$(target)) $(call lines_in,$(target)); they must be translations of each other, line by line" >&2; exit 1; };) touch $@

known    = $(foreach r,$($(1)),$(if $(flags_$(r)),,$(error $(1): there is no row $(r))))
$(OUT)/runs/%/flags: FORCE
	$(call settings,$(TRAINING) --max-updates $(UPDATES) $(flags_$(call row,$*)) --seed $(call seed,$*))

define train_row
	$(call begin,$(@D),$$(cat $<),$(OUT)/subword.model $(1)); $(origin) >> $(@D)/made
	$(BIN)/tt-train -q $$(cat $<) --valid-every 0 --train $(1) --dev $(call both,dev) --subword $(OUT)/subword.model \
	  -o $(@D)/run --log $(@D)/log.jsonl --threads $(THREADS) $(on_device) || [ $$? = 3 ]
	$(BIN)/tt-average -q $(AVERAGE) -o $@ $(@D)/run
	$(call as_old,$(@D)/begun,$@)
endef
$(OUT)/runs/%/model.tt: $(OUT)/runs/%/flags $(OUT)/subword.model $(call both,train) $(call both,dev) $(OUT)/average.flags | $(OUT)/pairs
	$(call train_row,$(call both,train))

sources = $(foreach part,dev test,$(call side,$(part),$(source)))
targets = $(foreach part,dev test,$(call side,$(part),$(target)))
$(OUT)/runs/%/dev $(OUT)/runs/%/test: $(OUT)/runs/%/model.tt $(sources) $(OUT)/search.flags
	$(own_sides) touch $(@D)/asked; $(foreach part,dev test,$(translate)) $(call as_old,$(@D)/asked,$(@D)/dev $(@D)/test)
$(OUT)/runs/%-ensemble@all/dev $(OUT)/runs/%-ensemble@all/test: $(foreach s,$(SEEDS),$(OUT)/runs/%@$(s)/model.tt) $(sources) $(OUT)/search.flags $(OUT)/seeds.flags
	$(own_sides) mkdir -p $(@D); touch $(@D)/asked; $(foreach part,dev test,$(translate)) $(call as_old,$(@D)/asked,$(@D)/dev $(@D)/test)
own_sides = trap 'rm -f $(@D)/dev.part.$$$$ $(@D)/test.part.$$$$' EXIT;
translate = $(BIN)/tt-translate -q $(patsubst %,-m %,$(filter %/model.tt,$^)) $(SEARCH) --threads $(THREADS) $(call side,$(part),$(source)) > $(@D)/$(part).part.$$$$ || [ $$? = 3 ]; \
	    mv $(@D)/$(part).part.$$$$ $(@D)/$(part);

# Perplexity per token, with the end of each line, on the development set, without lines that are too long to be scored.
$(OUT)/runs/%/perplexity: $(OUT)/runs/%/model.tt $(call both,dev)
	touch $@.asked; $(perplexity)
$(OUT)/runs/%-ensemble@all/perplexity: $(foreach s,$(SEEDS),$(OUT)/runs/%@$(s)/model.tt) $(call both,dev) $(OUT)/seeds.flags
	mkdir -p $(@D); touch $@.asked; $(perplexity)
dev_side   = $(if $(GZ),gzip -dc,cat) $(call side,dev,$(1))
perplexity = trap 'rm -f $(part_of) $(part_of).pieces' EXIT; $(call dev_side,$(target)) | { $(BIN)/tt-bpe encode -q -m $(OUT)/subword.model > $(part_of).pieces || [ $$? = 3 ]; }; \
             $(call dev_side,$(source)) | { $(BIN)/tt-translate -q $(patsubst %,-m %,$(filter %/model.tt,$^)) --score $(call side,dev,$(target)) --threads $(THREADS) || \
               [ $$? = 3 ]; } | paste - $(part_of).pieces | awk '$$1 != "-inf" { sum += $$1; tokens += NF } END { printf "%.4f\n", exp(-sum / tokens) }' > $(part_of); \
             mv $(part_of) $@; $(call as_old,$@.asked,$@)

# Name, seed, parameters, perplexity and BLEU on the development set, BLEU on the test set, operations of training, and the paper's estimate
# of them: the time times what the processors can do.
bleu   = $(BIN)/tt-bleu -q -b --force $(SCORE) --width 2 $(call side,$(1),$(target)) -i $(@D)/$(1) || [ $$? = 3 ]
scores = $(own_part) touch $@.asked; perplexity=$$(cat $(@D)/perplexity); dev=$$($(call bleu,dev)); test=$$($(call bleu,test))
$(OUT)/runs/%/row: $(OUT)/runs/%/dev $(OUT)/runs/%/test $(OUT)/runs/%/perplexity $(targets) $(OUT)/score.flags
	$(scores); log=$(@D)/log.jsonl; parameters=$$($(call from_log,start,parameters,$$log)); \
	flops=$$($(call from_log,end,flops,$$log)); \
	wall=$$($(call from_log,end,wall,$$log)); peak=$$($(call from_log,end,peak_flops_per_second,$$log)); \
	printf '%s\t' '$(call row,$*)' '$(call seed,$*)' "$$parameters" "$$perplexity" "$$dev" "$$test" "$$flops" > $(part_of); \
	awk -v wall="$$wall" -v peak="$$peak" 'BEGIN { print (peak > 0 ? sprintf("%.4g", wall * peak) : "-") }' >> $(part_of); mv $(part_of) $@
	$(call as_old,$@.asked,$@)
# An ensemble has the parameters and the operations of all its models.
$(OUT)/runs/%-ensemble@all/row: $(foreach f,dev test perplexity,$(OUT)/runs/%-ensemble@all/$(f)) $(foreach s,$(SEEDS),$(OUT)/runs/%@$(s)/row) $(targets) $(OUT)/score.flags
	$(scores); awk -v perplexity="$$perplexity" -v dev="$$dev" -v test="$$test" \
	  'BEGIN { FS = OFS = "\t" } { n += $$3; f += $$7; e += $$8; if ($$8 == "-") lacks = 1 } \
	   END { print "$*-ensemble", "all", n, perplexity, dev, test, f, (lacks ? "-" : e) }' $(filter %/row,$^) > $(part_of); \
	mv $(part_of) $@
	$(call as_old,$@.asked,$@)

plot = $(BIN)/tt-table-plot -q -o $@

# When, with which commit, and on what machine a model is trained or a layer measured, a line for each time that it goes on; and what made
# a table: its command, and these lines of each of its runs.
processor = awk -F ': *' '/^Model name/ && !n++ { print $$2 } END { if (!n) print "processor not known" }'
origin    = { date -u +%F; $(BIN)/tt-train --version | sed -n '1s/^[^,]*, //p'; lscpu | $(processor); echo 'threads: $(THREADS), $(DEVICE)$(PRECISION:%= %)'; } | paste -s
command   = echo 'make -f $(firstword $(MAKEFILE_LIST)) $(basename $(@F)) $(subst ','\'',$(MAKEOVERRIDES))'
made_by   = { $(command); $(foreach r,$(1),if [ -e $(r)/made ]; then sed 's|^|$(r:$(OUT)/%=%)\t|' $(r)/made; else echo '$(r:$(OUT)/%=%)	not known'; fi;) } > $(basename $@).made
# What the verdicts of a table are, for the terminal and for the report.
verdicts  = $(own_part) { $(1); } > $(part_of); mv $(part_of) $@

$(foreach t,TABLE2 TABLE3,$(if $(strip $($(t))),,$(error $(t) is empty; name rows, as in $(t)="base learned")))
$(if $(strip $(ENSEMBLES)),$(if $(word 2,$(SEEDS)),,$(error ENSEMBLES is "$(ENSEMBLES)", but there is one seed; give two, as in SEEDS="1 2")))
$(call known,TABLE2)$(call known,TABLE3)$(call known,ENSEMBLES)$(call known,ONCE)
$(OUT)/table2.tsv: $(addsuffix /row,$(call runs,$(TABLE2)) $(ENSEMBLES:%=$(OUT)/runs/%-ensemble@all)) $(OUT)/rows2.flags
	$(call made_by,$(call runs,$(TABLE2)))
	$(own_part) awk -f $(paper)means.awk $(filter %/row,$^) > $(part_of) && mv $(part_of) $@
$(OUT)/table3.tsv: $(addsuffix /row,$(call runs,$(TABLE3))) $(OUT)/rows3.flags
	$(call made_by,$(call runs,$(TABLE3)))
	$(own_part) awk -f $(paper)means.awk $(filter %/row,$^) > $(part_of) && mv $(part_of) $@
# A curve for each family, over the operations of training.
$(OUT)/table2.svg: $(OUT)/table2.tsv
	awk -f $(paper)families.awk $< | $(plot) --log-x --y-label BLEU --title "Table 2: $(CORPUS)"
$(OUT)/table3.svg: $(OUT)/table3.tsv
	cut -f 1,5,6 $< | $(plot) --y-label BLEU --title "Table 3: $(CORPUS), development set"
$(OUT)/table2.verdicts: $(OUT)/table2.tsv
	$(call verdicts,awk -v table='table 2' -v better='test BLEU' -f $(paper)judge.awk $(paper)table2.claims $<; awk -f $(paper)cost.awk $<)
$(OUT)/table3.verdicts: $(OUT)/table3.tsv
	$(call verdicts,awk -v table='table 3' -v better='dev BLEU' -f $(paper)judge.awk $(paper)table3.claims $<)
table2: $(OUT)/table2.tsv $(OUT)/table2.verdicts $(OUT)/table2.svg
table3: $(OUT)/table3.tsv $(OUT)/table3.verdicts $(OUT)/table3.svg
table2 table3:
	@cat $(filter-out %.svg,$^)

# ---- The other tables, and the figures.

include $(paper)table1.mk $(paper)lengths.mk $(paper)extrapolate.mk $(paper)table4.mk $(paper)figures.mk $(paper)report.mk

# ---- The corpora's files.

ifeq ($(CORPUS),toy)
$(foreach p,train dev test,$(call both,$(p))) &: $(OUT)/data.flags
	$(BIN)/toy $(SIZES) $(DATA)
else
$(DATA)/%:
	[ -e $@ ] || $(MAKE) -f $(here)$(CORPUS).mk BIN=$(BIN) DATA=$(DATA) $@
endif

$(patsubst settings_%,$(OUT)/%.flags,$(filter settings_%,$(.VARIABLES))): $(OUT)/%.flags: FORCE
	$(call settings,$(settings_$*))
.PHONY: help table1 table2 table3 table4 lengths figures report
