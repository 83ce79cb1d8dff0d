# WMT 2014 English to German, the experiment of "Attention Is All You Need", sections 5 and 6.1: about 4.5 million sentence pairs,
# 37,000 joint pieces, batches of 25,000 + 25,000 tokens; base: 100,000 updates and the mean of the last 5 checkpoints, big: 300,000
# and the last 20; beam 4, alpha 0.6, newstest2014. The score is the paper's own metric, for which it reports 27.3 (base) and 28.4
# (big). On CPUs this takes months; it is here because it defines what the settings mean.
#
#   make wmt14 [MODEL=base|big] [DATA=folder] [BIN=build/release-cuda DEVICE=cuda PRECISION=bfloat16]
#
# DATA holds {train,newstest2013,newstest2014}.{en,de}; missing files are downloaded. The paper's checkpoints are ten minutes apart:
# every 1,500 updates (base, 0.4 s each) or 600 (big, 1 s each).

MODEL = base
SAVE_base     = 1500
SAVE_big      = 600
UPDATES_base  = 100000
UPDATES_big   = 300000
AVERAGE_base  = 5
AVERAGE_big   = 20

NAME     = wmt14
SOURCE   = en
TARGET   = de
GZ       =
OUT      = build/wmt14-$(MODEL)
DATA     = build/wmt14-corpus
TRAIN    = $(DATA)/train
DEV      = $(DATA)/newstest2013
TEST     = $(DATA)/newstest2014
SUBWORD  = --type bpe --vocab-size 37000
TRAINING = --preset $(MODEL) --tokens 6250 --accumulate 4 --warmup 4000 --max-updates $(UPDATES_$(MODEL)) \
           --valid-every $(SAVE_$(MODEL)) --save-every $(SAVE_$(MODEL)) --keep-last $(AVERAGE_$(MODEL))
AVERAGE  = --last $(AVERAGE_$(MODEL))
SEARCH   = --beam 4 --alpha 0.6
SCORE    = --paper --tokenize 13a

include $(dir $(lastword $(MAKEFILE_LIST)))experiment.mk

# Europarl 7, Common Crawl and News Commentary 9, and the test sets of 2013 and 2014.
server   = https://www.statmt.org
archives = training-parallel-europarl-v7 training-parallel-commoncrawl training-parallel-nc-v9
archive  = $(DATA)/$(1).tgz
$(foreach a,$(wordlist 1,2,$(archives)),$(call archive,$(a))):
	$(call fetch,$(server)/wmt13/$(@F))
$(foreach a,$(word 3,$(archives)) dev test-full,$(call archive,$(a))):
	$(call fetch,$(server)/wmt14/$(@F))

# Pairs with an empty side are skipped.
$(DATA)/pairs.tsv: $(foreach a,$(archives),$(call archive,$(a)))
	cd $(DATA); members='training/europarl-v7.de-en commoncrawl.de-en training/news-commentary-v9.de-en'; \
	set -- $$members; for a in $(archives); do tar -xzf $$a.tgz $$1.en $$1.de; shift; done; \
	for m in $$members; do paste $$m.en $$m.de; done | tr -d '\r' | awk -F '\t' 'NF == 2 && $$1 != "" && $$2 != ""' > pairs.tsv.part; \
	mv pairs.tsv.part pairs.tsv; for m in $$members; do rm -f $$m.en $$m.de; done
$(DATA)/train.en: | $(DATA)/pairs.tsv
	$(own_part) cut -f 1 $(DATA)/pairs.tsv > $(part_of) && mv $(part_of) $@
$(DATA)/train.de: | $(DATA)/pairs.tsv
	$(own_part) cut -f 2 $(DATA)/pairs.tsv > $(part_of) && mv $(part_of) $@

# The sets are SGML with one segment per line.
segments = sed -nE 's/.*<seg id="[0-9]+"> *(.*[^ ]) *<\/seg>.*/\1/p' | sed 's/&quot;/"/g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g'
side     = $(if $(filter en,$*),src,ref).$*
$(DATA)/newstest2013.%: | $(DATA)/dev.tgz
	$(own_part) tar -xzOf $(DATA)/dev.tgz dev/newstest2013-$(side).sgm | $(segments) > $(part_of) && mv $(part_of) $@
$(DATA)/newstest2014.%: | $(DATA)/test-full.tgz
	$(own_part) tar -xzOf $(DATA)/test-full.tgz test-full/newstest2014-deen-$(side).sgm | $(segments) > $(part_of) && mv $(part_of) $@
