# WMT 2014 English to German and to French, the experiments of "Attention Is All You Need", sections 5 and 6.1: batches of 25,000 +
# 25,000 tokens; base: 100,000 updates and the mean of the last 5 checkpoints, big: 300,000 and the last 20; beam 4, alpha 0.6,
# newstest2014. The score is the paper's own metric.
#   TO=de  about 4.5 million pairs, 37,000 joint pieces; the paper reports 27.3 (base) and 28.4 (big)
#   TO=fr  36 million pairs, 32,000 pieces, and dropout 0.1 for big too; 38.1 (base), and 41.0 (section 6.1) or 41.8 (table 2) for big
# Neither has been run: on CPUs this takes months. It is here because it defines what the settings mean.
#
#   make wmt14 [TO=de|fr] [MODEL=base|big] [DATA=folder] [BIN=build/release-cuda DEVICE=cuda PRECISION=bfloat16]
#
# DATA holds {train,newstest2013,newstest2014}.{en,de}, or .{en,fr}; missing files are downloaded. The paper's checkpoints are ten
# minutes apart: every 1,500 updates (base, 0.4 s each) or 600 (big, 1 s each).

TO    = de
MODEL = base
SAVE_base     = 1500
SAVE_big      = 600
UPDATES_base  = 100000
UPDATES_big   = 300000
AVERAGE_base  = 5
AVERAGE_big   = 20

NAME     = wmt14
SOURCE   = en
TARGET   = $(TO)
GZ       =
OUT      = build/wmt14-$(TO)-$(MODEL)
DATA     = build/wmt14-corpus-$(TO)
TRAIN    = $(DATA)/train
DEV      = $(DATA)/newstest2013
TEST     = $(DATA)/newstest2014
SUBWORD  = --type bpe --vocab-size $(PIECES_$(TO))
PIECES_de = 37000
PIECES_fr = 32000
TRAINING = --preset $(MODEL) $(if $(filter fr,$(TO)),--dropout 0.1) --tokens 6250 --accumulate 4 --warmup 4000 --max-updates $(UPDATES_$(MODEL)) \
           --valid-every $(SAVE_$(MODEL)) --save-every $(SAVE_$(MODEL)) --keep-last $(AVERAGE_$(MODEL))
AVERAGE  = --last $(AVERAGE_$(MODEL))
SEARCH   = --beam 4 --alpha 0.6
SCORE    = --paper --tokenize 13a

include $(dir $(lastword $(MAKEFILE_LIST)))experiment.mk

# Europarl 7, Common Crawl and News Commentary 9, for French also the texts of the United Nations and the ten thousand million words of
# 2010; and the test sets of 2013 and 2014.
server    = https://www.statmt.org
archive   = $(addprefix $(DATA)/,$(1))
europarl  = wmt13/training-parallel-europarl-v7.tgz training/europarl-v7.$(TO)-en
crawl     = wmt13/training-parallel-commoncrawl.tgz commoncrawl.$(TO)-en
news      = wmt14/training-parallel-nc-v9.tgz training/news-commentary-v9.$(TO)-en
un        = wmt13/training-parallel-un.tgz un/undoc.2000.fr-en
giga      = wmt10/training-giga-fren.tar giga-fren.release2.fixed
parts     = europarl crawl news $(if $(filter fr,$(TO)),un giga)
archives  = $(foreach p,$(parts),$(firstword $($(p))))
define archive_rule
$(DATA)/$(notdir $(1)):
	$$(call fetch,$(server)/$(1))
endef
$(foreach a,$(archives) wmt14/dev.tgz wmt14/test-full.tgz,$(eval $(call archive_rule,$(a))))

# Pairs with an empty side are skipped. Some members are compressed in their archive.
$(DATA)/pairs.tsv: $(call archive,$(notdir $(archives)))
	cd $(DATA) && rm -f pairs.tsv.part && for part in $(foreach p,$(parts),$(notdir $(firstword $($(p)))):$(lastword $($(p)))); do \
	  file=$${part%%:*} member=$${part#*:}; gz=; case $$file in *.tar) gz=.gz;; esac; \
	  tar -xf $$file $$member.en$$gz $$member.$(TO)$$gz && { [ -z "$$gz" ] || gunzip -f $$member.en.gz $$member.$(TO).gz; } && \
	  paste $$member.en $$member.$(TO) | tr -d '\r' | awk -F '\t' 'NF == 2 && $$1 != "" && $$2 != ""' >> pairs.tsv.part && \
	  rm -f $$member.en $$member.$(TO) || exit 1; done && mv pairs.tsv.part pairs.tsv
$(DATA)/train.en: | $(DATA)/pairs.tsv
	$(own_part) cut -f 1 $(DATA)/pairs.tsv > $(part_of) && mv $(part_of) $@
$(DATA)/train.$(TO): | $(DATA)/pairs.tsv
	$(own_part) cut -f 2 $(DATA)/pairs.tsv > $(part_of) && mv $(part_of) $@

# The sets are SGML with one segment per line.
segments = sed -nE 's/.*<seg id="[0-9]+"> *(.*[^ ]) *<\/seg>.*/\1/p' | sed 's/&quot;/"/g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g'
side     = $(if $(filter en,$*),src,ref).$*
$(DATA)/newstest2013.%: | $(DATA)/dev.tgz
	$(own_part) tar -xzOf $(DATA)/dev.tgz dev/newstest2013-$(side).sgm | $(segments) > $(part_of) && mv $(part_of) $@
$(DATA)/newstest2014.%: | $(DATA)/test-full.tgz
	$(own_part) tar -xzOf $(DATA)/test-full.tgz test-full/newstest2014-$(TO)en-$(side).sgm | $(segments) > $(part_of) && mv $(part_of) $@
