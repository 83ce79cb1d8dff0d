# Sentences that run over the cues of subtitles: a text is cut into cues of at most LENGTH signs, and translated cue by cue, and with
# `tt-document --join`, which has each sentence translated as one and parts the translation again.
#
#   make -f data/cues.mk cues MODEL=model.tt FROM=en TEXT=test.en REFERENCE=test.de [LENGTH=42] [SEARCH="--beam 5"] [SCORE=options of tt-bleu] [OUT=folder]
#
# Result: of 1,000 captions (Multi30k, test 2016, English to German, a model of 1,130 updates with 31.3 BLEU for whole sentences) cut into 1,987
# cues, cue by cue 23.5 BLEU, with --join 31.3; 16.6 % of 8,104 links lead into another cue.
#
# Told are BLEU of the sentences put together again, and which share of the links between words of source and translation, as the model finds
# them, leads into another cue than that of the source word: of the cuts that --join makes.

OUT    ?= build/cues
LENGTH ?= 42
SEARCH ?= --beam 5
here := $(dir $(lastword $(MAKEFILE_LIST)))
include $(here)common.mk
$(foreach v,MODEL FROM TEXT REFERENCE,$(if $($(v))$(filter help,$(MAKECMDGOALS)),,$(error give $(v); see the head of data/cues.mk)))
plain = gzip -dcf < $(1)

# A sentence after the other with a pause between; cues.of: the sentence of each cue.
$(OUT)/cues.srt: $(TEXT) $(OUT)/text.flags
	mkdir -p $(@D); $(own_part) $(call plain,$<) | awk -v most=$(LENGTH) -v of=$(OUT)/cues.of ' \
	  function time(s) { return sprintf("%02d:%02d:%02d,000", s / 3600, s / 60 % 60, s % 60) } \
	  function end() { printf "%d\n%s --> %s\n%s\n\n", ++cues, time(now), time(now + 2), cue; now += 2; print NR > of; cue = "" } \
	  BEGIN { printf "" > of } \
	  { for (i = 1; i <= NF; ++i) { if (cue != "" && length(cue " " $$i) > most) end(); cue = cue (cue == "" ? "" : " ") $$i } if (cue != "") end(); now += 3 }' \
	  > $(part_of) && mv $(part_of) $@
# $(1): how cues become lines.
by = $(own_part) $(BIN)/tt-document extract $(1) $< > $(part_of).in; { $(BIN)/tt-translate -q -m $(MODEL) $(SEARCH) $(part_of).in || [ $$? = 3 ]; } | \
     { $(BIN)/tt-document merge $(1) -o $(part_of) $< || [ $$? = 3 ]; }; rm $(part_of).in; mv $(part_of) $@
$(OUT)/apart.srt: $(OUT)/cues.srt $(MODEL) $(OUT)/search.flags
	$(call by,)
$(OUT)/joined.srt: $(OUT)/cues.srt $(MODEL) $(OUT)/search.flags
	$(call by,--join $(FROM))
# The cues of each sentence, with TABs between, and without.
$(OUT)/%.cut: $(OUT)/%.srt
	$(own_part) awk -v RS= -F '\n' '{ for (i = 3; i <= NF; ++i) printf "%s%s", $$i, i < NF ? " " : "\n" }' $< | paste $(OUT)/cues.of - | awk -F '\t' '$$1 != n { if (n) print line; while (++n < $$1) print ""; line = $$2; next } \
	  { line = line "\t" $$2 } END { print line }' > $(part_of) && mv $(part_of) $@
$(OUT)/%.txt: $(OUT)/%.cut
	$(own_part) tr '\t' ' ' < $< > $(part_of) && mv $(part_of) $@
$(OUT)/crossing: $(OUT)/cues.txt $(OUT)/joined.txt $(OUT)/cues.cut $(OUT)/joined.cut $(MODEL)
	$(own_part) { $(BIN)/tt-translate -q -m $(MODEL) --score $(word 2,$^) --alignment hard $< || [ $$? = 3 ]; } | cut -f 2 > $(part_of).links; \
	  paste -d '\n' $(word 3,$^) $(word 4,$^) $(part_of).links | awk -F '\t' ' \
	    function place(cue,    c, w, n, at) { n = 0; split("", cue); for (c = 1; c <= NF; ++c) for (w = split($$c, at, " "); w > 0; --w) cue[n++] = c; return NF } \
	    NR % 3 == 1 { cues = place(source) } NR % 3 == 2 { place(target) } \
	    NR % 3 == 0 && cues > 1 { l = split($$0, links, " "); for (i = 1; i <= l; ++i) { split(links[i], e, "-"); ++all; other += source[e[1]] != target[e[2]] } } \
	    END { printf "%.1f %% of %d links lead into another cue\n", 100 * other / (all ? all : 1), all }' > $(part_of); rm $(part_of).links; mv $(part_of) $@
cues: $(OUT)/apart.txt $(OUT)/joined.txt $(OUT)/crossing
	@$(call plain,$(REFERENCE)) > $(OUT)/reference; for of in apart joined; do printf '%s\t%s BLEU\n' $$of "$$($(BIN)/tt-bleu -q -b $(SCORE) $(OUT)/reference -i $(OUT)/$$of.txt)"; done; cat $(OUT)/crossing
$(OUT)/text.flags: FORCE
	$(call settings,$(TEXT) $(LENGTH))
$(OUT)/search.flags: FORCE
	$(call settings,$(MODEL) $(SEARCH) $(FROM))
help:
	@sed -n '/^$$/q; s/^# \{0,1\}//p' $(firstword $(MAKEFILE_LIST))
.PHONY: cues help
