# The tables and figures of "Attention Is All You Need" in miniature, and the recurrent models that it is compared with. Each ends in a
# table (TSV), a picture (SVG), and lines that say whether the paper's ordering was found, with the spread over seeds.
#
#   make table1 table2 table3 table4 lengths figures     with -f this file, and, as needed,
#     [CORPUS=multi30k|enja|toy] [DATA=folder] [TREEBANK=folder] [QUICK=1] [SEEDS="1 2 3"] [UPDATES=n] [OUT=folder]
#
#   table1    time and memory of one layer against n and d, sequential operations, the longest path: measured
#   table2    BLEU against the operations of training: Transformers, and LSTMs with each attention and without
#   table3    heads, d_k, size, dropout, smoothing, positions; scores of attention and a window, perplexity and BLEU on the development set
#   table4    constituency parsing: F1 on dev.mrg.gz in TREEBANK, after training on train.mrg.gz there
#   lengths   BLEU against the length of the reference: the Transformer, and LSTMs with and without attention
#   figures   positional encodings, which head looks at the previous token, masked attention, attention where word order changes
#
# TABLE2, TABLE3, TABLE4 and LENGTHS name rows; those that each has are below. What was made with other settings is made again. Of the rows
# in ENSEMBLES the models of all seeds translate together too, in table 2. Rows in ONCE, far from others or long in the making, have one seed.
#
# QUICK=1: the embedded corpus, and trees that are made up, in minutes. With a corpus of its own a row of a table takes some 15 minutes on
# two cores for each seed: a night for each table. A stopped make goes on where it was, inside a training too. DATA is as data/multi30k.mk
# and data/enja.mk have it; what is missing they download.

BIN     ?= build/release
$(if $(wildcard $(BIN)/tt-train),,$(error There are no programs in $(BIN). Run "make" first, or give BIN=folder))
CORPUS  ?= $(if $(QUICK),toy,multi30k)
OUT     ?= build/paper-$(CORPUS)
DATA    ?= $(OUT)/corpus
SEEDS   ?= $(if $(QUICK),1 2,1 2 3)
THREADS ?= $(shell nproc)

# ---- The corpora. MODEL: the Transformer that rows change; SMALL: a larger one; LSTM: the recurrent one; TRAINING: of them all. Where
# that takes hours, a row that diverges goes on from its last checkpoint at half the rate.

ifeq ($(CORPUS),toy)
UPDATES  ?= 400
SIZES     = --train 4000 --dev 100 --test 200
pair      = en ja
part_train = train
part_dev   = dev
part_test  = test
SUBWORD   = --type bpe --vocab-size 1500 --coverage 1
MODEL     = --preset tiny --encoder-layers 2 --decoder-layers 2
SMALL     = --preset tiny --encoder-layers 2 --decoder-layers 2 --d-model 192 --d-ff 384
LSTM      = --type lstm --preset tiny --bidirectional
TRAINING  = --dropout 0.1 --tokens 1024 --warmup 100 --rate 0.004 --schedule linear --save-every 25 --keep-last 4 --tokenize char
AVERAGE   = --last 4
SEARCH    = --beam 4
SCORE     = --tokenize char
LENGTH_STEP = 5
else
GZ        = .gz
MODEL     = --preset tiny
SMALL     = --preset small
LSTM      = --type lstm --preset tiny --bidirectional
TRAINING  = --dropout 0.3 --tokens 4096 --warmup 1000 --rate 0.005 --schedule linear --save-every 100 --keep-last 10 --tokenize none \
            --on-divergence rollback
AVERAGE   = --last 10
SCORE     = --tokenize none
LENGTH_STEP = 4
endif
ifeq ($(CORPUS),multi30k)
UPDATES  ?= 3000
pair      = en de
part_train = train.lc.norm.tok
part_dev   = val.lc.norm.tok
part_test  = test_2016_flickr.lc.norm.tok
SUBWORD   = --type bpe --vocab-size 10000 --coverage 1
SEARCH    = --beam 5 --alpha 1
else ifeq ($(CORPUS),enja)
UPDATES  ?= 4000
pair      = en ja
part_train = train
part_dev   = dev
part_test  = test
SUBWORD   = --type bpe --vocab-size 8000
SEARCH    = --beam 5
else ifneq ($(CORPUS),toy)
$(error there is no corpus $(CORPUS); there are multi30k, enja and toy)
endif

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
$(foreach p,0 0.2,$(eval flags_dropout-$(p) = $$(MODEL) --dropout $(p)))
$(foreach p,0 0.2,$(eval flags_smoothing-$(p) = $$(MODEL) --label-smoothing $(p)))
flags_learned      = $(MODEL) --positions learned
flags_no-positions = $(MODEL) --positions none
flags_dot          = $(MODEL) --scores dot
flags_additive     = $(MODEL) --scores additive
flags_window-4     = $(MODEL) --window 4

TABLE2 ?= lstm-none lstm-dot lstm-general lstm-concat base small
TABLE3 ?= base heads-1 heads-2 heads-8 heads-16 dk-8 dk-16 layers-1 layers-6 d-64 d-192 ff-64 ff-512 dropout-0 dropout-0.2 \
          smoothing-0 smoothing-0.2 learned no-positions dot additive window-4
ENSEMBLES ?= $(if $(word 2,$(SEEDS)),lstm-dot base)
ONCE      ?= layers-1 layers-6 d-64 d-192 ff-64 ff-512 dropout-0 no-positions additive window-4
# What the paper found: a sentence, then two rows, the first of which is better, or with a fourth field no worse.
define claims2
attention is better than none (LSTM)|lstm-dot|lstm-none
the Transformer is better than the LSTM|base|lstm-dot
a larger Transformer is better|small|base
an ensemble is better (LSTM)|lstm-dot-ensemble|lstm-dot
an ensemble is better (Transformer)|base-ensemble|base
endef
define claims3
A: one head is worse|base|heads-1
A: and so are too many|base|heads-16
B: narrow keys are worse|base|dk-8
C: fewer layers are worse|base|layers-1
C: more layers are better|layers-6|base
C: a narrower model is worse|base|d-64
C: a smaller feed-forward network is worse|base|ff-64
C: a larger feed-forward network is better|ff-512|base
D: no dropout is worse|base|dropout-0
D: no label smoothing is worse|base|smoothing-0
E: learned positions are no better|base|learned|no worse
without positions it is worse|base|no-positions
3.2.1: without the scale it is worse|base|dot
endef
export claims2 claims3

# ---- From a row and a seed, base@1, to its numbers.

row  = $(firstword $(subst @, ,$(1)))
seed = $(lastword $(subst @, ,$(1)))
runs = $(foreach r,$(1),$(foreach s,$(if $(filter $(r),$(ONCE)),$(firstword $(SEEDS)),$(SEEDS)),$(OUT)/runs/$(r)@$(s)))
# The last training's number of that name in a log.
from_log = sed -nE 's/.*"event":"$(1)".*"$(2)":([-+0-9.e]+).*/\1/p' $(3) | tail -n 1

# All that decides what is made, by what it decides.
settings_data    = $(DATA) $(SIZES)
settings_subword = $(SUBWORD)
settings_average = $(AVERAGE)
settings_trees   = $(TREE_AVERAGE)
settings_search  = $(SEARCH)
settings_score   = $(SCORE)
settings_rows2   = $(TABLE2) $(ENSEMBLES) $(SEEDS) $(ONCE)
settings_rows3   = $(TABLE3) $(SEEDS) $(ONCE)
settings_rows4   = $(TABLE4) $(SEEDS)
settings_lengths = $(LENGTHS) $(SEEDS) $(LENGTH_STEP) $(ONCE)
settings_seeds   = $(SEEDS)
settings_figures = $(FIGURE_LINES) $(SEEDS)
$(patsubst settings_%,$(OUT)/%.flags,$(filter settings_%,$(.VARIABLES))): $(OUT)/%.flags: FORCE
	$(call settings,$(settings_$*))

# A run that was begun with other settings or subword models ($(1)) is no beginning.
begin = cat $< $(1) | cksum > $(@D)/now; cmp -s $(@D)/now $(@D)/begun || { rm -rf $(@D)/run $(@D)/log.jsonl; mv $(@D)/now $(@D)/begun; }; rm -f $(@D)/now

$(OUT)/subword.model: $(call both,train) $(OUT)/data.flags $(OUT)/subword.flags
	mkdir -p $(@D)
	$(BIN)/tt-bpe train -q $(SUBWORD) -o $@ $(call both,train)

settings = @mkdir -p $(@D); echo '$(1)' > $@.new; cmp -s $@.new $@ && rm $@.new || mv $@.new $@
known    = $(foreach r,$($(1)),$(if $(flags_$(r)),,$(error $(1): there is no row $(r))))
$(OUT)/runs/%/flags: FORCE
	$(call settings,$(TRAINING) --max-updates $(UPDATES) $(flags_$(call row,$*)) --seed $(call seed,$*))

$(OUT)/runs/%/model.tt: $(OUT)/runs/%/flags $(OUT)/subword.model $(call both,train) $(call both,dev) $(OUT)/average.flags
	$(call begin,$(OUT)/subword.model)
	$(BIN)/tt-train -q $$(cat $<) --valid-every 0 --train $(call both,train) --dev $(call both,dev) --subword $(OUT)/subword.model \
	  -o $(@D)/run --log $(@D)/log.jsonl --threads $(THREADS)
	$(BIN)/tt-average -q $(AVERAGE) -o $@ $(@D)/run

$(OUT)/runs/%/dev $(OUT)/runs/%/test: $(OUT)/runs/%/model.tt $(OUT)/search.flags
	$(foreach part,dev test,$(translate))
$(OUT)/runs/%-ensemble@all/dev $(OUT)/runs/%-ensemble@all/test: $(foreach s,$(SEEDS),$(OUT)/runs/%@$(s)/model.tt) $(OUT)/search.flags $(OUT)/seeds.flags
	mkdir -p $(@D); $(foreach part,dev test,$(translate))
translate = $(BIN)/tt-translate -q $(patsubst %,-m %,$(filter %/model.tt,$^)) $(SEARCH) --threads $(THREADS) $(call side,$(part),$(source)) > $(@D)/$(part).part; \
	    mv $(@D)/$(part).part $(@D)/$(part);

# Name, seed, parameters, perplexity and BLEU on the development set, BLEU on the test set, operations of training, and the paper's estimate
# of them: the time times what the processors can do.
bleu = bleu() { $(BIN)/tt-bleu -q -b --force $(SCORE) --width 2 "$$1" -i "$$2"; }
$(OUT)/runs/%/row: $(OUT)/runs/%/dev $(OUT)/runs/%/test $(OUT)/score.flags
	$(bleu); log=$(@D)/log.jsonl; \
	perplexity=$$($(call from_log,valid,perplexity,$$log)); flops=$$($(call from_log,end,flops,$$log)); \
	wall=$$($(call from_log,end,wall,$$log)); peak=$$($(call from_log,end,peak_flops_per_second,$$log)); \
	printf '%s\t' '$(call row,$*)' '$(call seed,$*)' "$$($(call from_log,start,parameters,$$log))" "$$perplexity" \
	  "$$(bleu $(call side,dev,$(target)) $(@D)/dev)" "$$(bleu $(call side,test,$(target)) $(@D)/test)" "$$flops" > $@.part; \
	awk -v wall="$$wall" -v peak="$$peak" 'BEGIN { printf "%.4g\n", wall * peak }' >> $@.part; mv $@.part $@
# An ensemble has the parameters and the operations of all its models.
$(OUT)/runs/%-ensemble@all/row: $(OUT)/runs/%-ensemble@all/dev $(OUT)/runs/%-ensemble@all/test $(foreach s,$(SEEDS),$(OUT)/runs/%@$(s)/row) $(OUT)/score.flags
	$(bleu); awk -v dev="$$(bleu $(call side,dev,$(target)) $(@D)/dev)" -v test="$$(bleu $(call side,test,$(target)) $(@D)/test)" \
	  'BEGIN { FS = OFS = "\t" } { n += $$3; f += $$7; e += $$8 } END { print "$*-ensemble", "all", n, "-", dev, test, f, e }' $(filter %/row,$^) > $@.part
	mv $@.part $@

# Means and standard deviations over the seeds of each row, in the order in which they are given; and the claims, against column `better`.
define means
function spread(n, sum, squares) { return n > 1 ? sprintf("%.2f", sqrt((squares - sum * sum / n) / (n - 1) * (squares > sum * sum / n))) : "-" }
BEGIN { FS = OFS = "\t" }
{ if (!($$1 in count)) order[++rows] = $$1; ++count[$$1]; for (i = 3; i <= 8; ++i) { sum[$$1, i] += $$i; square[$$1, i] += $$i * $$i }; timed[$$1] += $$8 > 0 }
END {
  print "row", "parameters", "perplexity", "perplexity+-", "dev BLEU", "dev BLEU+-", "test BLEU", "test BLEU+-", "FLOP", "FLOP, estimated", "seeds"
  for (r = 1; r <= rows; ++r) {
    name = order[r]; n = count[name]; line = name OFS sprintf("%.0f", sum[name, 3] / n)
    for (i = 4; i <= 6; ++i)
      line = line OFS (sum[name, i] == 0 && i == 4 ? "-" OFS "-" : sprintf("%.2f", sum[name, i] / n) OFS spread(n, sum[name, i], square[name, i]))
    print line, sprintf("%.4g", sum[name, 7] / n), (timed[name] ? sprintf("%.4g", sum[name, 8] / timed[name]) : "-"), n
  }
}
endef
define judge
function shown(row) { return row " " mean[row] (seeds[row] > 1 ? "+-" spread[row] : "") }
BEGIN {
  FS = "\t"
  n = split(claims, all, "\n")
}
FNR == 1 { for (i = 1; i <= NF; ++i) if ($$i == better) column = i }
FNR > 1 { mean[$$1] = $$column; spread[$$1] = $$(column + 1); seeds[$$1] = $$NF }
END {
  for (i = 1; i <= n; ++i) {
    split(all[i], claim, "|"); a = claim[2]; b = claim[3]
    if (!(a in mean) || !(b in mean)) continue
    many = seeds[a] < 2 ? b : a; few = seeds[b] < 2 ? a : b  # a row of one seed is taken to spread as the other
    gap = mean[a] - mean[b]; noise = sqrt(spread[many] ^ 2 + spread[few] ^ 2)
    verdict = gap > noise || (claim[4] != "" && gap >= -noise) ? "found" : gap < -noise ? "not found" : "within the spread over seeds"
    if (seeds[many] < 2) verdict = (gap > 0 ? "found" : "not found") ", with one seed"
    printf "%s, %s: %s (%s, %s)\n", table, claim[1], verdict, shown(a), shown(b)
  }
}
endef
export means judge
plot = $(BIN)/tt-table-plot -q -o $@

$(call known,TABLE2)$(call known,TABLE3)$(call known,ENSEMBLES)
$(OUT)/table2.tsv: $(addsuffix /row,$(call runs,$(TABLE2)) $(ENSEMBLES:%=$(OUT)/runs/%-ensemble@all)) $(OUT)/rows2.flags
	awk "$$means" $(filter %/row,$^) > $@.part && mv $@.part $@
$(OUT)/table3.tsv: $(addsuffix /row,$(call runs,$(TABLE3))) $(OUT)/rows3.flags
	awk "$$means" $(filter %/row,$^) > $@.part && mv $@.part $@
# A curve for each family, over the operations of training.
$(OUT)/table2.svg: $(OUT)/table2.tsv
	awk 'BEGIN { FS = OFS = "\t"; print "FLOP of training", "Transformer", "Transformer+-", "LSTM with attention", "LSTM with attention+-", "LSTM without", "LSTM without+-" } \
	  NR > 1 { a = b = c = "-" OFS "-"; s = $$7 OFS $$8; if ($$1 == "lstm-none") c = s; else if ($$1 ~ /^lstm/) b = s; else a = s; \
	    fflush(); print $$9, a, b, c | "sort -g" }' $< | \
	  $(plot) --log-x --y-label BLEU --title "Table 2: $(CORPUS)"
$(OUT)/table3.svg: $(OUT)/table3.tsv
	cut -f 1,5,6 $< | $(plot) --y-label BLEU --title "Table 3: $(CORPUS), development set"
table2: $(OUT)/table2.tsv $(OUT)/table2.svg
	@cat $<; awk -v table='table 2' -v better='test BLEU' -v claims="$$claims2" "$$judge" $<
table3: $(OUT)/table3.tsv $(OUT)/table3.svg
	@cat $<; awk -v table='table 3' -v better='dev BLEU' -v claims="$$claims3" "$$judge" $<

# ---- Table 1: one layer. The picture is the time against n at the width in the middle, where self-attention crosses the others.

LAYERS ?= $(if $(QUICK),--lengths 16$(comma)32$(comma)64$(comma)128$(comma)256$(comma)512 --widths 64$(comma)128$(comma)256 --seconds 0.02)
comma  := ,

$(OUT)/layers: FORCE
	$(call settings,$(LAYERS))
$(OUT)/table1.tsv: $(OUT)/layers
	$(BIN)/layers measure $(LAYERS) > $@.part && mv $@.part $@
$(OUT)/table1.fit.tsv: $(OUT)/table1.tsv
	$(BIN)/layers fit $< > $@.part && mv $@.part $@
$(OUT)/table1.svg: $(OUT)/table1.tsv
	awk 'BEGIN { FS = OFS = "\t" } NR > 1 { if (!($$1 in kind)) { kind[$$1]; kinds[++k] = $$1 } if (!($$3 in width)) { width[$$3]; widths[++w] = $$3 } \
	    if (!($$2 in length_)) { length_[$$2]; lengths[++l] = $$2 } ms[$$1, $$2, $$3] = $$4 } \
	  END { d = widths[int((w + 1) / 2)]; line = "n, with d = " d; for (i = 1; i <= k; ++i) line = line OFS kinds[i]; print line; \
	    for (j = 1; j <= l; ++j) { line = lengths[j]; for (i = 1; i <= k; ++i) line = line OFS ms[kinds[i], lengths[j], d]; print line } }' $< | \
	  $(plot) --log-x --log-y --y-label "ms, forward and backward" --title "Table 1: one layer"
# Self-attention has fewer operations than a recurrent layer where n is below a multiple of d (LSTM: 4 gates with two products each, and so
# 16 n d d operations forward where attention has 4 n n d): in each width the length from which on it has more, by operations and by time.
define crossing
BEGIN { FS = "\t" }
NR > 1 && $$1 == "self-attention" { time[$$2, $$3] = $$4; work[$$2, $$3] = $$6 }
NR > 1 && $$1 == "recurrent" {
  if (work[$$2, $$3] > $$6 && !($$3 in by_work)) by_work[$$3] = $$2
  if (time[$$2, $$3] > $$4 && !($$3 in by_time)) by_time[$$3] = $$2
  widths[$$3]
  if ($$2 <= $$3) { ++pairs; faster += time[$$2, $$3] < $$4 }
}
END {
  for (d in widths)
    printf "table 1, d = %s: self-attention costs more than the recurrent layer from n = %s on (operations), %s (time)\n", d, (d in by_work ? by_work[d] : "none"), (d in by_time ? by_time[d] : "none") | "sort -t= -k2n"
  close("sort -t= -k2n")
  verdict = faster == pairs ? "found" : faster > pairs / 2 ? "mostly found" : "not found"
  printf "table 1, self-attention is faster than a recurrent layer where n <= d: %s (in %d of %d sizes)\n", verdict, faster, pairs
}
endef
export crossing
define fitted
BEGIN { FS = "\t" }
function near(x, y) { return x - y < 0.25 && y - x < 0.25 }
NR > 1 {
  good = near($$6, $$2) && near($$7, $$3) && near($$11, $$4)
  printf "table 1, %s: operations ~ n^%s d^%s (theory n^%s d^%s), sequential ~ n^%s (n^%s), path ~ n^%s (n^%s), ", $$1, $$6, $$7, $$2, $$3, $$11, $$4, $$12, $$5
  printf "time ~ n^%s d^%s: %s\n", $$8, $$9, (good ? "found" : "not found")
}
endef
export fitted
table1: $(OUT)/table1.tsv $(OUT)/table1.fit.tsv $(OUT)/table1.svg
	@awk "$$fitted" $(OUT)/table1.fit.tsv; awk "$$crossing" $<

# ---- BLEU against the length of the reference, in groups of LENGTH_STEP tokens with 20 sentences at least.

LENGTHS ?= base lstm-dot lstm-none
$(call known,LENGTHS)
$(OUT)/runs/%/lengths: $(OUT)/runs/%/test $(OUT)/score.flags $(OUT)/lengths.flags
	$(BIN)/tt-bleu -q --force --compare --top 0 --length-step $(LENGTH_STEP) $(SCORE) --width 2 $(call side,test,$(target)) -i $< $< | \
	  awk -v row=$(call row,$*) '/^[0-9]+(-[0-9]*)? / && $$2 >= 20 { print row "\t" $$1 "\t" $$3 }' > $@.part && mv $@.part $@
define by_length
function spread(n, sum, squares) { return n > 1 ? sprintf("%.2f", sqrt((squares - sum * sum / n) / (n - 1) * (squares > sum * sum / n))) : "-" }
BEGIN { FS = OFS = "\t" }
!($$1 in count) { order[++rows] = $$1; count[$$1] }
!($$2 in known) { group[++groups] = $$2; known[$$2] }
{ ++n[$$1, $$2]; sum[$$1, $$2] += $$3; square[$$1, $$2] += $$3 * $$3 }
END {
  line = "length"
  for (r = 1; r <= rows; ++r) line = line OFS order[r] OFS order[r] "+-"
  print line
  for (g = 1; g <= groups; ++g) {
    line = group[g]
    for (r = 1; r <= rows; ++r) { at = order[r] SUBSEP group[g]; line = line OFS sprintf("%.2f", sum[at] / n[at]) OFS spread(n[at], sum[at], square[at]) }
    print line
  }
}
endef
# What lacks attention falls further behind where sentences are longer.
define falls
BEGIN { FS = "\t" }
NR == 1 { for (i = 2; i <= NF; ++i) { if ($$i == "lstm-dot") with = i; if ($$i == "lstm-none") without = i } }
NR > 1 { last = $$with - $$without; wide = $$(with + 1) ^ 2 + $$(without + 1) ^ 2; if (NR == 2) { first = last; noise = wide } }
END {
  if (!with || !without || NR < 3) exit
  gap = last - first; noise = sqrt(noise + wide)
  verdict = gap > noise ? "found" : gap < -noise ? "not found" : "within the spread over seeds"
  if (seeds < 2) verdict = (gap > 0 ? "found" : "not found") ", with one seed"
  printf "lengths, without attention BLEU falls with the length: %s (behind by %.1f in the shortest sentences, by %.1f in the longest)\n", verdict, first, last
}
endef
export by_length falls

$(OUT)/lengths.tsv: $(addsuffix /lengths,$(call runs,$(LENGTHS))) $(OUT)/lengths.flags
	awk "$$by_length" $(filter %/lengths,$^) > $@.part && mv $@.part $@
$(OUT)/lengths.svg: $(OUT)/lengths.tsv
	$(plot) --y-label BLEU --title "By the length of the reference: $(CORPUS)" $<
lengths: $(OUT)/lengths.tsv $(OUT)/lengths.svg
	@cat $<; awk -v seeds=$(words $(SEEDS)) "$$falls" $<

# ---- Table 4: words to brackets, on subword models of their own.

TREEBANK ?= $(OUT)/treebank
TREES     = $(OUT)/trees
TREE_UPDATES  ?= $(if $(QUICK),300,6000)
TREE_MODEL    ?= --preset tiny --dropout 0.1 $(if $(QUICK),--encoder-layers 2 --decoder-layers 2)
# A word whose embedding has grown long can make one gradient 10,000 times as long as all before, which counts as divergence: --clip.
TREE_TRAINING ?= --clip 1 --warmup $(if $(QUICK),100,1000) --rate 0.003 --schedule linear --save-every 50 --keep-last 5 \
                 --extra-length 300 --tokenize none --tokens $(if $(QUICK),1024,4096) --max-length 512
TREE_AVERAGE  ?= --last 5
# With XX or tags in the place of each word a decoder has to count to find the next one, and one word too few moves all that follow.
TREE_LINEAR   ?= --words
TREE_VOCAB    ?= $(if $(QUICK),120,6000)
flags_parse      = $(TREE_MODEL)
flags_parse-lstm = --type lstm --bidirectional $(TREE_MODEL)
# The sample of the treebank has some pages of text before its first tree.
trees_of = $(if $(filter %.gz,$(1)),gzip -dc,cat) $(1) | awk '{ line[NR] = $$0 } /ORIGINAL CDROM/ { from = NR } \
           END { for (i = from + 1; i <= NR; ++i) if (on || line[i] ~ /^\(/) { on = 1; print line[i] } }'

# Trees of a grammar of some words, with traces and function tags, for QUICK.
define grammar
function pick(list,    all) { return all[1 + int(rand() * split(list, all, " "))] }
function np(depth) { return "(NP" (rand() < .3 ? "-SBJ" : "") " (DT " pick("the a this") ") " (rand() < .4 ? "(JJ " pick("old red small") ") " : "") \
  "(NN " pick("dog cat man house bird") ")" (depth < 2 && rand() < .3 ? " (PP (IN " pick("of in near") ") " np(depth + 1) ")" : "") ")" }
function vp(depth) { return rand() < .3 && depth < 2 ? "(VP (VBZ " pick("wants tries") ") (S (NP-SBJ (-NONE- *)) (VP (TO to) " vp(depth + 1) ")))" : \
  "(VP (VB " pick("see find leave") ") " np(1) ")" }
BEGIN { srand(seed); for (i = 0; i < n; ++i) print "( (S " np(0) " " vp(0) " (. .)))" }
endef
export grammar
ifdef QUICK
TREE_SIZE ?= 1500
$(OUT)/treebank/train.mrg.gz $(OUT)/treebank/dev.mrg.gz: $(TREES)/treebank
	mkdir -p $(@D)
	awk -v seed=$(words $(@F:dev%=dev 2)) -v n=$(if $(findstring dev,$(@F)),100,$(TREE_SIZE)) "$$grammar" | gzip -n > $@.part && mv $@.part $@
else
$(TREEBANK)/%.mrg.gz:
	@echo "$@ is missing; say TREEBANK=folder, with train.mrg.gz and dev.mrg.gz" >&2; exit 1
endif

$(TREES)/treebank: FORCE
	$(call settings,$(TREEBANK) $(TREE_LINEAR) $(if $(QUICK),$(TREE_SIZE)))
$(TREES)/%.mrg: $(TREEBANK)/%.mrg.gz $(TREES)/treebank
	$(call trees_of,$<) > $@.part && mv $@.part $@
# Phrases as trees of their own: short ones teach where words go, and there are fifteen times as many.
$(TREES)/parts.mrg: $(TREES)/train.mrg
	$(BIN)/tt-tree subtrees $< > $@.part && mv $@.part $@
$(TREES)/%.words: $(TREES)/%.mrg
	$(BIN)/tt-tree words $< > $@.part && mv $@.part $@
$(TREES)/%.linear: $(TREES)/%.mrg
	$(BIN)/tt-tree linear $(TREE_LINEAR) $< > $@.part && mv $@.part $@
$(TREES)/sizes: FORCE
	$(call settings,$(TREE_VOCAB))
$(TREES)/subword.model: $(TREES)/parts.words $(TREES)/parts.linear $(TREES)/sizes
	$(BIN)/tt-bpe train -q --vocab-size $(TREE_VOCAB) --coverage 1 --normalisation identity -o $@ $(TREES)/parts.words $(TREES)/parts.linear
$(TREES)/runs/%/flags: FORCE
	$(call settings,$(TREE_TRAINING) --max-updates $(TREE_UPDATES) $(flags_$(call row,$*)) --seed $(call seed,$*))
$(TREES)/runs/%/model.tt: $(TREES)/runs/%/flags $(foreach p,parts dev,$(TREES)/$(p).words $(TREES)/$(p).linear) $(TREES)/subword.model $(OUT)/trees.flags
	$(call begin,$(TREES)/subword.model)
	$(BIN)/tt-train -q $$(cat $<) --valid-every 0 \
	  --train $(TREES)/parts.words $(TREES)/parts.linear --dev $(TREES)/dev.words $(TREES)/dev.linear \
	  --subword $(TREES)/subword.model -o $(@D)/run --log $(@D)/log.jsonl --threads $(THREADS)
	$(BIN)/tt-average -q $(TREE_AVERAGE) -o $@ $(@D)/run
# One beam and alpha: the trees, how many of them were well-formed, and their score.
parsed = $(BIN)/tt-translate -q -m $< --beam $(1) --alpha $(2) --threads $(THREADS) $(TREES)/dev.words > $@.linear; \
         $(BIN)/tt-tree parse $(filter --words,$(TREE_LINEAR)) $(TREES)/dev.words $@.linear > $@.mrg 2> $@.repaired || [ $$? = 3 ]; \
         bad=$$(sed -nE 's/.*: ([0-9,]+) of .*/\1/p' $@.repaired | tr -d ,); \
         printf '%s\t%s\t%s\t%s\t%s\n' '$(call row,$*) $(1) $(2)' '$(call seed,$*)' \
           "$$($(BIN)/tt-tree score -b $(TREES)/dev.mrg $@.mrg)" "$$bad" "$$(grep -c "" $(TREES)/dev.words)" > $@.part; mv $@.part $@
$(TREES)/runs/%/wide: $(TREES)/runs/%/model.tt
	$(call parsed,21,0.3)
$(TREES)/runs/%/plain: $(TREES)/runs/%/model.tt
	$(call parsed,4,0.6)
TABLE4 ?= parse parse-lstm
$(call known,TABLE4)
define parses
BEGIN { FS = OFS = "\t" }
{ if (!($$1 in count)) order[++rows] = $$1; ++count[$$1]; sum[$$1] += $$3; square[$$1] += $$3 * $$3; bad[$$1] += $$4; all[$$1] += $$5 }
END {
  print "row beam alpha", "F1", "F1+-", "well-formed, %", "seeds"
  for (r = 1; r <= rows; ++r) {
    name = order[r]; n = count[name]; v = n > 1 ? (square[name] - sum[name] ^ 2 / n) / (n - 1) : 0
    print name, sprintf("%.2f", sum[name] / n), (n > 1 ? sprintf("%.2f", v > 0 ? sqrt(v) : 0) : "-"), sprintf("%.1f", 100 * (1 - bad[name] / all[name])), n
  }
}
endef
define claims4
the Transformer is better than the LSTM with attention|parse 21 0.3|parse-lstm 21 0.3
a beam of 21 with alpha 0.3 is better|parse 21 0.3|parse 4 0.6
endef
export parses claims4
$(OUT)/table4.tsv: $(foreach r,$(TABLE4),$(foreach s,$(SEEDS),$(TREES)/runs/$(r)@$(s)/plain $(TREES)/runs/$(r)@$(s)/wide)) $(OUT)/rows4.flags
	awk "$$parses" $(filter %/plain %/wide,$^) > $@.part && mv $@.part $@
$(OUT)/table4.svg: $(OUT)/table4.tsv
	cut -f 1-3 $< | $(plot) --y-label F1 --title "Table 4: constituency parsing"
table4: $(OUT)/table4.tsv $(OUT)/table4.svg
	@cat $<; awk -v table='table 4' -v better=F1 -v claims="$$claims4" "$$judge" $<

# ---- Figures, of the first seed of the base model.

FIGURE_LINES ?= 100
figure_model = $(OUT)/runs/base@$(firstword $(SEEDS))/model.tt
$(OUT)/positions.svg:
	mkdir -p $(@D)
	$(BIN)/tt-pe-plot -q -o $@
$(OUT)/attention.jsonl: $(figure_model) $(call side,dev,$(source)) $(OUT)/figures.flags $(OUT)/search.flags
	$(if $(GZ),gzip -dc,cat) $(word 2,$^) | sed -n '1,$(FIGURE_LINES)p' | \
	  $(BIN)/tt-translate -q -m $< $(SEARCH) --self-attention --attention $@.part > /dev/null
	mv $@.part $@
# What each head of the encoder gives to the token before, the token itself and the next one, of those that have one: the mean over all
# tokens of these sentences.
$(OUT)/heads.tsv: $(OUT)/attention.jsonl
	for i in $$(sed -nE 's/^\{"line": ?([0-9]+).*/\1/p' $<); do $(BIN)/tt-attention-plot -q --sentence $$i --kind encoder --tsv $<; done | \
	  awk 'BEGIN { FS = OFS = "\t" } $$1 != "layer" { h = $$1 "-" $$2; if (!(h in seen)) { seen[h]; order[++n] = h } \
	      if ($$5 == $$3 - 1) { before[h] += $$7; later[h]++ } if ($$5 == $$3) { self[h] += $$7; rows[h]++ } \
	      if ($$5 == $$3 + 1) { after[h] += $$7; earlier[h]++ } mean[h] += $$7; cells[h]++ } \
	    END { print "layer-head", "previous", "itself", "next", "chance"; \
	      for (i = 1; i <= n; ++i) { h = order[i]; printf "%s\t%.4f\t%.4f\t%.4f\t%.4f\n", h, before[h] / later[h], self[h] / rows[h], after[h] / earlier[h], mean[h] / cells[h] } }' > $@.part
	mv $@.part $@
$(OUT)/heads.svg: $(OUT)/heads.tsv
	cut -f 1-4 $< | $(plot) --y-label "part of the weight" --title "What heads of the encoder look at"
$(OUT)/encoder.svg $(OUT)/masked.svg $(OUT)/cross.svg: $(OUT)/attention.jsonl
	$(BIN)/tt-attention-plot -q --kind $(patsubst masked,decoder,$(basename $(@F))) $(if $(findstring cross,$@),--mean) -o $@ $< || [ $$? = 3 ]
figures: $(foreach f,positions heads encoder masked cross,$(OUT)/$(f).svg) $(OUT)/heads.tsv
	@cat $(OUT)/heads.tsv
	@awk -F '\t' 'NR > 1 && $$2 > best { best = $$2; head = $$1; chance = $$5 } END { \
	  printf "figures, a head that looks at the previous token: %s (head %s gives it %.0f %% of its weight, where %.0f %% is chance)\n", \
	    (best > 0.5 ? "found" : best > 3 * chance ? "found in part" : "not found"), head, 100 * best, 100 * chance }' $(OUT)/heads.tsv

# ---- The corpora's files.

ifeq ($(CORPUS),toy)
$(foreach p,train dev test,$(call both,$(p))) &: $(OUT)/data.flags
	$(BIN)/toy $(SIZES) $(DATA)
else
$(DATA)/%:
	$(MAKE) -f $(dir $(firstword $(MAKEFILE_LIST)))$(CORPUS).mk BIN=$(BIN) DATA=$(DATA) $@
endif

# Decimals have points.
export LC_ALL = C
SHELL       = bash
.SHELLFLAGS = -eo pipefail -c
FORCE:
.PHONY: table1 table2 table3 table4 lengths figures FORCE
.DELETE_ON_ERROR:
.SECONDARY:
