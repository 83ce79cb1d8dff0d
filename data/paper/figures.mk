# Figures: what the paper draws, measured over the whole development set: which heads look where in the models of all seeds; masked attention,
# word order and pictures in the first.

FIGURE_LINES ?= # of the development set; none or 0: all
settings_figures = $(FIGURE_LINES)
$(if $(strip $(FIGURE_LINES)),$(call one_number,FIGURE_LINES))

figure_models = $(patsubst %,$(OUT)/runs/base@%,$(SEEDS))
figure_trees  = $(if $(or $(filter $(OUT)/toy-trees,$(TREEBANK)),$(wildcard $(TREEBANK)/dev.mrg.gz),$(filter command environment,$(origin TREEBANK))),$(patsubst %,$(TREES)/runs/parse@%,$(SEEDS)))
figure_first  = $(firstword $(figure_models))
lines_of      = $(if $(filter-out 0,$(FIGURE_LINES)),sed -n '1$(comma)$(strip $(FIGURE_LINES))p',cat)

# Positional encodings: as their dot product depends on the distance of two places alone, so may attention.
$(OUT)/positions.svg:
	mkdir -p $(@D)
	$(BIN)/tt-pe-plot -q -o $@
$(OUT)/positions.tsv:
	mkdir -p $(@D)
	$(BIN)/tt-pe-plot -q --similarity --positions 100 --tsv > $@.part
	mv $@.part $@

# The attention of every sentence, and its translation with links behind it.
$(OUT)/runs/%/attention.jsonl: $(OUT)/runs/%/model.tt $(call side,dev,$(source)) $(OUT)/figures.flags $(OUT)/search.flags
	touch $@.asked
	$(call dev_side,$(source)) | $(lines_of) | $(BIN)/tt-translate -q -m $< $(SEARCH) --self-attention --attention $@.part --alignment hard > $(@D)/links || [ $$? = 3 ]
	mv $@.part $@; $(call as_old,$@.asked,$@)
$(TREES)/runs/%/attention.jsonl: $(TREES)/runs/%/model.tt $(TREES)/dev.words $(OUT)/figures.flags
	touch $@.asked; $(lines_of) $(TREES)/dev.words | $(BIN)/tt-translate -q -m $< --beam 1 --self-attention --attention $@.part > /dev/null || [ $$? = 3 ]
	mv $@.part $@; $(call as_old,$@.asked,$@)
$(TREES)/governors: $(TREES)/dev.mrg
	$(BIN)/tt-tree heads $< > $@.part || [ $$? = 3 ]
	mv $@.part $@
# The weights of one kind of attention in all sentences of $< that have any, as lines without a word have not.
weights = awk -v plot="$(BIN)/tt-attention-plot -q --kind $(1) --tsv" \
  '!/"attention": *\[\]/ { n = $$0; sub(/^[^0-9]*/, "", n); print "sentence " n + 0; fflush(); print | plot; if (close(plot) != 0) exit 1 }' $<
$(OUT)/runs/%/heads.tsv: $(OUT)/runs/%/attention.jsonl
	$(call weights,encoder) | awk -f $(paper)heads.awk > $@.part
	mv $@.part $@
$(TREES)/runs/%/heads.tsv: $(TREES)/runs/%/attention.jsonl $(TREES)/governors
	$(call weights,encoder) | awk -v governors=$(TREES)/governors -f $(paper)heads.awk > $@.part
	mv $@.part $@
$(OUT)/heads.tsv: $(addsuffix /heads.tsv,$(figure_first)) $(OUT)/seeds.flags
	cp $< $@
$(OUT)/heads.svg: $(OUT)/heads.tsv
	cut -f 1-4 $< | $(plot) --y-label "part of the weight" --title "What heads of the encoder look at"
# The largest weight that the masked attention of the decoder gives to a token behind its own, and what it changes that the right translation
# goes on: with itself, once more.
rescored = $(BIN)/tt-translate -q -m $(figure_first)/model.tt --threads $(THREADS) --score <($(call dev_side,$(target)) | $(lines_of) | sed '$(1)') \
             --format json --token-scores <($(call dev_side,$(source)) | $(lines_of)) > $@.$(2) || [ $$? = 3 ]
$(OUT)/masked.tsv: $(figure_first)/attention.jsonl $(call both,dev) $(OUT)/seeds.flags
	$(call rescored,,alone)
	$(call rescored,s/.*/& &/,twice)
	$(call weights,decoder) | awk -F '\t' '/^[0-9]/ && $$5 > $$3 { ++cells; if ($$7 > most) most = $$7 } \
	  END { print "weights\tlargest of later tokens\ttokens\tlargest change"; printf "%d\t%g\t", cells, most }' > $@.part
	paste $@.alone $@.twice | awk -f $(paper)masked.awk >> $@.part
	rm $@.alone $@.twice; mv $@.part $@
# Where the order changes most, the line, the part of its pairs of links that cross, and that of all lines.
$(OUT)/reordering.tsv: $(figure_first)/attention.jsonl $(OUT)/seeds.flags
	{ printf 'line\tcrossing\tcrossing, all lines\n'; awk -f $(paper)reordering.awk $(<D)/links; } > $@.part
	mv $@.part $@

figure = $(BIN)/tt-attention-plot -q --kind $(1) $(2) -o $@ $< || [ $$? = 3 ]
$(OUT)/encoder.svg: $(figure_first)/attention.jsonl $(OUT)/seeds.flags
	$(call figure,encoder)
$(OUT)/masked.svg: $(figure_first)/attention.jsonl $(OUT)/seeds.flags
	$(call figure,decoder)
$(OUT)/cross.svg: $(figure_first)/attention.jsonl $(OUT)/reordering.tsv
	$(call figure,cross,--mean --sentence $$(awk 'NR == 2 { print $$1 + 0 ? $$1 : 1 }' $(OUT)/reordering.tsv))

# The verdicts: what is said of positions, heads, masked attention and word order.
heads_of  = awk -v what='$(1)' -v column=$(2) -f $(paper)found.awk $(addsuffix /heads.tsv,$(3))
by_distance = awk -F '\t' 'NR == 2 { for (i = 2; i <= NF; ++i) at[i - 2] = $$i } NR > 1 { for (i = 2; i <= NF; ++i) { d = i - NR; e = $$i - at[d < 0 ? -d : d]; \
    if (e * e > most * most) most = e } } END { printf "figures, the product of two positional encodings depends on their distance alone: %s (within %.2g)\n", \
    (most * most < 1e-4 ? "found" : "not found"), most < 0 ? -most : most }' $(OUT)/positions.tsv
sees_none = awk -F '\t' 'NR == 2 { printf "figures, masked attention sees no later token: %s (the largest of their %d weights is %g; other later tokens change the score of %d tokens by at most %g)\n", \
    ($$1 > 0 && $$2 == 0 && $$3 > 0 && $$4 < 1e-3 ? "found" : "not found"), $$1, $$2, $$3, $$4 }' $(OUT)/masked.tsv
crosses   = awk -F '\t' 'NR == 2 { printf "figures, attention where word order changes: "; \
    if ($$1 + 0) printf "line %d, where %.0f %% of the pairs of links cross (all lines: %.0f %%)\n", $$1, 100 * $$2, 100 * $$3; \
    else print "in no line of 5 to 16 words that has 6 links" }' $(OUT)/reordering.tsv

$(OUT)/figures.verdicts: $(foreach f,positions masked reordering heads,$(OUT)/$(f).tsv) $(addsuffix /heads.tsv,$(figure_models) $(figure_trees))
	$(call made_by,$(figure_models) $(figure_trees))
	$(call verdicts,$(by_distance); $(call heads_of,a head that looks at the previous token,previous,$(figure_models)); \
	  $(if $(figure_trees),$(call heads_of,a head that looks at the head of the phrase (table 4),governor,$(figure_trees)), \
	    echo 'figures$(comma) a head that looks at the head of the phrase: not measured; say TREEBANK=folder'); \
	  $(sees_none); $(crosses))
figures: $(if $(figure_trees),$(TREES)/train.mrg $(TREES)/dev.mrg) $(foreach f,positions heads encoder masked cross,$(OUT)/$(f).svg) $(OUT)/figures.verdicts
	@cat $(OUT)/heads.tsv $(OUT)/figures.verdicts
