# The steps that all experiments share: subword model, training, averaging, translation of the test set, score.
#
# An experiment sets these before it includes this file:
#   NAME             its target, and the name of its folder
#   SOURCE, TARGET   languages, the suffixes of its files
#   TRAIN, DEV, TEST file names without the language: $(TRAIN).en, followed by $(GZ) (".gz" or nothing)
#   SUBWORD          options of tt-bpe train
#   TRAINING         options of tt-train: the model and everything that affects the result
#   AVERAGE          options of tt-average: which checkpoints
#   SEARCH           options of tt-translate
#   SCORE            options of tt-bleu
#   LINKS, GUIDED    if there are any: true links of the first sentences of TEST, and the options of tt-train for "guided"
# and a caller may set
#   SUBWORD_MODEL    a subword model that is there; else one is trained
#   ANEW             yes: a run that was begun with other settings or text is removed and begun anew, as in tables whose rows are runs; else it
#                    is refused, so that no score is given for settings that it is not of; more --max-updates go on with it
#   BIN              the folder of the programs
#   OUT              the folder for all output
#   DATA             the folder of the corpus; missing files are downloaded
#   THREADS          threads for training
#
# Each step depends only on the files it reads, so an interrupted make can be resumed. tt-train is called every time, since only it
# knows whether a run is complete: it resumes an incomplete run, and leaves a complete one as it is. Its status 3 says that pairs were
# skipped, or that the subword model lacks characters, which stderr and the log tell; the experiment goes on.

OUT     ?= build/$(NAME)
SUBWORD_MODEL ?= $(OUT)/subword.model
DATA    ?= $(OUT)/corpus
include $(dir $(lastword $(MAKEFILE_LIST)))common.mk

# The two files of one part of the corpus.
files = $(1).$(SOURCE)$(GZ) $(1).$(TARGET)$(GZ)
# Downloads $(1) into the target, which appears complete or not at all; the second also compresses it.
fetch    = @$(own_part) mkdir -p $(@D); $(call download,$(1),-,--fail-early) > $(part_of) && mv $(part_of) $@
fetch_gz = @[ -e $@ ] || { $(own_part) mkdir -p $(@D); $(call download,$(1),-,--fail-early) | gzip -n > $(part_of) && mv $(part_of) $@; }

# An experiment may have more to print, by more prerequisites.
$(NAME): $(OUT)/score
	@cat $^

$(OUT)/subword.model: $(call files,$(TRAIN)) $(OUT)/subword.flags $(OUT)/data.flags
	mkdir -p $(@D); touch $@.asked
	$(BIN)/tt-bpe train $(SUBWORD) -o $@ $(call files,$(TRAIN)) || [ $$? = 3 ]
	$(call as_old,$@.asked,$@)

learns = --train $(call files,$(TRAIN)) --dev $(call files,$(DEV))
# A run that has ended does not look at its text again.
same_text = [ ! -e $@ ] || [ ! -e $(@D).sum ] || cmp -s $(OUT)/text.sum $(@D).sum || \
            { echo "$(@D): was trained on other text, or on this before it was changed; remove it, or give another OUT" >&2; exit 1; }
$(OUT)/text.sum: $(call files,$(TRAIN)) $(call files,$(DEV)) $(OUT)/data.flags
	@$(own_part) cat $(call files,$(TRAIN)) $(call files,$(DEV)) | cksum > $(part_of); mv $(part_of) $@
$(OUT)/run/done: $(SUBWORD_MODEL) $(OUT)/text.sum FORCE
	@$(if $(ANEW),mkdir -p $(OUT); $(call begin,$(OUT),$(TRAINING) $(on_device),$< $(OUT)/text.sum,$(learns)),$(same_text))
	$(BIN)/tt-train --unchanged $(TRAINING) $(learns) --subword $< -o $(@D) \
	  --log $(OUT)/log.jsonl --threads $(THREADS) $(on_device) || [ $$? = 3 ]
	@cp $(OUT)/text.sum $(@D).sum

$(OUT)/model.tt: $(OUT)/run/done $(OUT)/average.flags
	$(BIN)/tt-average $(AVERAGE) -o $@ $(<D)

# Status 3: some lines could not be translated, or read, as they are.
$(OUT)/test.$(TARGET): $(OUT)/model.tt $(TEST).$(SOURCE)$(GZ) $(OUT)/search.flags $(OUT)/data.flags
	$(own_part) $(BIN)/tt-translate -m $< $(SEARCH) < $(word 2,$^) > $(part_of) || [ $$? = 3 ]; mv $(part_of) $@

$(OUT)/score: $(OUT)/test.$(TARGET) $(TEST).$(TARGET)$(GZ) $(OUT)/score.flags $(OUT)/data.flags
	$(own_part) $(BIN)/tt-bleu $(SCORE) $(word 2,$^) -i $< > $(part_of) || [ $$? = 3 ]; mv $(part_of) $@

# Links are compared where they end in a word of the target that has true links, all of them sure, for as many sentences of the test
# set as the file of LINKS has. The alignment error rate (Och and Ney 2003) of links A and sure ones S is then
# 1 - 2 |A and S| / (|A| + |S|).
alignments: $(OUT)/links.score
	@cat $<
$(OUT)/links: $(OUT)/model.tt $(call files,$(TEST)) $(LINKS) $(OUT)/data.flags
	$(own_part) $(BIN)/tt-translate -m $< --score $(word 3,$^) --alignment hard < $(word 2,$^) > $(part_of) || [ $$? = 3 ]; mv $(part_of) $@
$(OUT)/links.score: $(OUT)/links $(LINKS)
	$(own_part) cut -f 2 $< | paste - $(word 2,$^) | head -n $$(wc -l < $(word 2,$^)) | awk -F '\t' ' \
	  { delete sure; delete known; \
	    for (i = split($$2, s, " "); i > 0; --i) { sure[s[i]]; split(s[i], ends, "-"); known[ends[2]]; ++all } \
	    for (i = split($$1, a, " "); i > 0; --i) { split(a[i], ends, "-"); \
	      if (ends[2] in known) { ++found; right += a[i] in sure } } } \
	  END { printf "alignment error rate %.2f %% (%d links, %d sure, %d of them found)\n", \
	          100 * (1 - 2 * right / (found + all)), found, all, right }' > $(part_of); mv $(part_of) $@

# The model is trained further, one head of it by the links that it finds in its training text.
$(OUT)/train.links: $(OUT)/model.tt $(call files,$(TRAIN)) $(OUT)/data.flags
	$(own_part) $(BIN)/tt-translate -q -m $< --score $(word 3,$^) --alignment hard < $(word 2,$^) > $(part_of) || [ $$? = 3 ]; cut -f 2 $(part_of) > $@
$(OUT)/guided/run/done: $(OUT)/model.tt $(OUT)/train.links $(OUT)/guided.flags
	$(BIN)/tt-train --unchanged --from $< $(GUIDED) --train $(call files,$(TRAIN)) --guided-alignment $(word 2,$^) --dev $(call files,$(DEV)) -o $(@D) \
	  --threads $(THREADS) $(on_device) || [ $$? = 3 ]
$(OUT)/guided/model.tt: $(OUT)/guided/run/done
	$(BIN)/tt-average --last 1 -o $@ $(<D)
guided: $(OUT)/guided/model.tt
	$(MAKE) -f $(firstword $(MAKEFILE_LIST)) DATA=$(DATA) OUT=$(OUT)/guided -o $< alignments

# Files that were made with other settings are made again.
$(OUT)/subword.flags: FORCE
	$(call settings,$(SUBWORD))
$(OUT)/data.flags: FORCE
	$(call settings,$(DATA))
$(OUT)/guided.flags: FORCE
	$(call settings,$(GUIDED))
$(OUT)/average.flags: FORCE
	$(call settings,$(AVERAGE))
$(OUT)/search.flags: FORCE
	$(call settings,$(SEARCH))
$(OUT)/score.flags: FORCE
	$(call settings,$(SCORE))

.PHONY: $(NAME)
