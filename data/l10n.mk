# English to TARGET, the texts of LibreOffice: menus, dialogs and the help, as its translators have made them, from the sources of
# Debian's package. They come from the mirror that apt is configured with, for its release: 200 MB, with 127 languages. What comes out
# translates the catalogues of other programs:
#
#   tt-document extract --accelerator _ de.po |
#     tt-translate -m build/l10n/de/model.tt --keep placeholders --markup xml --sentences en |
#     tt-document merge --accelerator _ -o translated.po de.po
#
#   make l10n TARGET=de             also fr, es, ja, pt-BR, ...; OUT=folder, ARCHIVE=file: the sources, fetched where missing
#   make -f data/l10n.mk l10n consistency DOCUMENTS=yes MORE="--context 1"     page by page, in their order
#   make -f data/seeds.mk RECIPE=l10n DOCUMENTS=yes A="--context 0" B="--context 1"
#
# The corpus is divided by programs: dev is of Base and Math, test of Impress and Draw, all others are train. tt-clean takes out what is
# no translation, and of dev and test each pair with a side that is in train, so that scores are those of new text. They are given for
# all pairs, and apart for those of fewer than five words, as menus have, and for longer ones. Text has no tags, which are in 38 % of the messages:
# a model that learned them left them out of half of its translations; --markup puts them in.
#
# LibreOffice 7.4 (bookworm) has 91,000 messages in German, of which 57,000 different pairs are left. Result, German, in bfloat16 (MORE="--precision
# bfloat16"), for 1,100 processor seconds of a Zen 5: 24.9 BLEU and 51.5 chrF for the 2,491 pairs of the test set, 37.6 and 55.6 for the 652 of fewer
# than five words, 24.5 and 51.3 for the longer ones; then without --coverage 1, so that 27 lines had an <unk>. (With tags in the text, after
# 1,200 updates of twice the tokens, the test set, which had them too, was translated with 18.3 and 20.2.)
# Of the 685 messages of the guide of Impress all were translated, in 3 seconds, 66 with tags that no word of the translation says the place of,
# most of them of the index.

NAME     = l10n
SOURCE   = en
TARGET   = de
OUT      = build/l10n/$(TARGET)
ARCHIVE  = build/l10n/translations.tar.xz
GZ       = .gz
TRAIN    = $(DATA)/train
DEV      = $(DATA)/dev
TEST     = $(DATA)/test
# Names and commands that stay as they are, of one word or two, are kept.
CLEAN    = --languages $(SOURCE),$(TARGET) --identical 3 $(if $(DOCUMENTS),--duplicates off)
SUBWORD  = --type bpe --vocab-size 10000 --coverage 1 $(if $(DOCUMENTS),--separator)
# Pages of the help are documents, whose texts come again in others; an empty line ends each.
DOCUMENTS =
TRAINING = --preset tiny --dropout 0.2 --tokens 4096 --warmup 1000 --rate 0.0035 --schedule wsd --cooldown 0.3 --max-updates 4000 \
           --weight-decay 0.1 --valid-every 1000 --save-every 40 --keep-last 10 $(SCORE_OF_TARGET) $(MORE)
AVERAGE  = --last 10
SEARCH   = --beam 5
SCORE    = $(SCORE_OF_TARGET)
SCORE_OF_TARGET = $(call characters,$(TARGET))

here := $(dir $(lastword $(MAKEFILE_LIST)))
include $(here)experiment.mk
l10n: $(OUT)/kinds

$(ARCHIVE):
	@$(own_part) mkdir -p $(@D); $(here)debian-source libreoffice '*.orig-translations.tar.xz' $(part_of) || { echo "$@: not downloaded; \
	without a network: put LibreOffice's *.orig-translations.tar.xz of Debian's sources there, or say ARCHIVE=FILE" >&2; exit 1; }; mv $(part_of) $@

# The pairs of each part, as they are in the catalogues (status 3: some messages are none); .../source/de/PROGRAM/... and
# .../helpcontent2/source/text/PROGRAM/...
$(DATA)/raw: $(ARCHIVE) $(DATA)/archive.flags
	rm -rf $@.part; mkdir -p $@.part
	tar -xJf $< -C $@.part --wildcards '*/source/$(TARGET)/*.po' || \
	  { rm -rf $@.part; echo "$<: has no catalogues of $(TARGET); its languages are the folders in: tar -tJf $<" >&2; exit 1; }
	cd $@.part && find . -name '*.po' | sort | sed -E 's|.*/source/$(TARGET)/(helpcontent2/source/text/)?([^/.]*).*|\2 &|' > files
	cd $@.part && for part in train dev test; do \
	  awk -v part=$$part 'BEGIN { split("dbaccess reportdesign starmath smath sdatabase", dev); split("sd simpress sdraw", test); \
	      for (i in dev) of[dev[i]] = "dev"; for (i in test) of[test[i]] = "test" } \
	    (($$1 in of) ? of[$$1] : "train") == part { print $$2 }' files | xargs sh -c '"$$0" "$$@" || [ $$? = 3 ]' $(abspath $(here))/po-pairs --pages > $$part.tsv; done
	rm -rf $@ && mv $@.part $@

# What tt-clean keeps of a part. Status 3: the memory for duplicates was full.
clean = $(own_part) cut -f 1,2 $</$(*F).tsv | $(BIN)/tt-clean $(CLEAN) $(1) --dropped $(DATA)/$(*F).dropped > $(part_of) || [ $$? = 3 ]; mv $(part_of) $@
$(DATA)/train.tsv $(DATA)/dev.tsv $(DATA)/test.tsv: $(DATA)/%.tsv: $(DATA)/raw $(OUT)/clean.flags
	$(call clean,$(patsubst %,--held-out %,$(filter %.txt,$^)))
$(DATA)/dev.tsv: $(DATA)/train.txt
$(DATA)/test.tsv: $(DATA)/train.txt $(DATA)/dev.txt
$(DATA)/%.txt: $(DATA)/%.tsv
	$(own_part) tr '\t' '\n' < $< > $(part_of) && mv $(part_of) $@
# One side of a part; of documents with an empty line where the page is another one.
side = $(own_part) $(if $(DOCUMENTS),cut -f 1 $(DATA)/$(*F).dropped | awk -F '\t' 'NR == FNR { dropped[$$1]; next } FNR in dropped { next } \
  { if (n++ && $$3 != page) print ""; page = $$3; print $$$(1) }' - $(DATA)/raw/$(*F).tsv,cut -f $(1) $<) | gzip -n > $(part_of) && mv $(part_of) $@
$(DATA)/%.$(SOURCE).gz: $(DATA)/%.tsv $(OUT)/documents.flags
	$(call side,1)
$(DATA)/%.$(TARGET).gz: $(DATA)/%.tsv $(OUT)/documents.flags
	$(call side,2)

# Scores of all pairs of the test set, and of the short and the long ones.
$(OUT)/kinds: $(OUT)/test.$(TARGET) $(call files,$(TEST)) $(OUT)/score.flags
	$(own_part) echo "pairs	number	BLEU	chrF" > $(part_of); \
	for kind in all short long; do \
	  paste <(gzip -dc $(word 2,$^)) <(gzip -dc $(word 3,$^)) $< | awk -F '\t' -v kind=$$kind '$$1 == "" { next } { short = split($$1, words, " ") < 5 } \
	    kind == "all" || (kind == "short") == short { print $$2 > "$@.ref.part"; print $$3 > "$@.hyp.part" }'; \
	  printf '%s\t%d\t%s\t%s\n' $$kind $$(wc -l < $@.ref.part) $$($(BIN)/tt-bleu -b $(SCORE) $@.ref.part -i $@.hyp.part) \
	    $$($(BIN)/tt-bleu -b -m chrf $@.ref.part -i $@.hyp.part) >> $(part_of); \
	  rm $@.ref.part $@.hyp.part; done; mv $(part_of) $@
# How alike words are translated that come again in a document: of the words of five letters or more whose translations links tell, the share
# that has the translation most have there. The second row is of the references, as the model links them.
consistency: $(OUT)/consistency
	@cat $<
$(OUT)/consistency: $(OUT)/model.tt $(OUT)/test.$(TARGET) $(call files,$(TEST))
	$(own_part) for of in $(word 2,$^) $(word 4,$^); do gzip -dcf $$of > $(part_of).of; \
	  $(BIN)/tt-translate -q -m $< --score $(part_of).of --alignment hard $(word 3,$^) > $(part_of).links || [ $$? = 3 ]; \
	  paste <(gzip -dc $(word 3,$^)) $(part_of).of <(cut -f 2 $(part_of).links) | awk -F '\t' -v of=$${of##*/} ' \
	    function end(    key, parts) { for (key in times) if (times[key] > 1) { all += times[key]; alike += most[key] } delete times; delete most; delete n } \
	    $$1 == "" { end(); next } \
	    { split(tolower($$1), s, " "); split(tolower($$2), t, " "); delete to; l = split($$3, links, " "); \
	      for (i = 1; i <= l; ++i) { split(links[i], e, "-"); to[e[1]] = to[e[1]] " " t[e[2]] } \
	      for (i in to) if (length(s[i]) > 4) { ++times[s[i]]; if (++n[s[i], to[i]] > most[s[i]]) most[s[i]] = n[s[i], to[i]] } } \
	    END { end(); printf "%s\t%d\t%.1f %%\n", of, all, 100 * alike / (all ? all : 1) }' >> $(part_of); rm $(part_of).of $(part_of).links; done; mv $(part_of) $@
$(OUT)/documents.flags: FORCE
	$(call settings,$(DOCUMENTS))
$(OUT)/clean.flags: FORCE
	$(call settings,$(CLEAN))
$(DATA)/archive.flags: FORCE
	$(call settings,$(ARCHIVE) $(TARGET))
