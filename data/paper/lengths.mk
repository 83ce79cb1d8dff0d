# BLEU against the length of the reference, in groups of LENGTH_STEP tokens with 20 sentences at least.

LENGTHS ?= base lstm-dot lstm-none
settings_lengths = $(LENGTHS) $(SEEDS) $(LENGTH_STEP) $(ONCE)
$(if $(strip $(LENGTHS)),,$(error LENGTHS is empty; name rows, as in LENGTHS="base lstm-dot lstm-none"))
$(call positive,LENGTH_STEP)
$(call known,LENGTHS)
$(OUT)/runs/%/lengths: $(OUT)/runs/%/test $(call side,test,$(target)) $(OUT)/score.flags $(OUT)/lengths.flags
	$(own_part) $(BIN)/tt-bleu -q --force --compare --top 0 --length-step $(LENGTH_STEP) $(SCORE) --width 2 $(call side,test,$(target)) -i first=$< second=$< | \
	  awk -v row=$(call row,$*) '/^[0-9]+(-[0-9]*)? / && $$2 >= 20 { print row "\t" $$1 "\t" $$3 }' > $(part_of) && mv $(part_of) $@
$(OUT)/lengths.tsv: $(addsuffix /lengths,$(call runs,$(LENGTHS))) $(OUT)/lengths.flags
	$(call made_by,$(call runs,$(LENGTHS)))
	$(own_part) awk -f $(paper)lengths.awk $(filter %/lengths,$^) > $(part_of); \
	if [ $$(grep -c '' $(part_of)) = 1 ]; then echo "no $(LENGTH_STEP) lengths have 20 sentences together; choose a larger LENGTH_STEP" >&2; exit 1; fi; \
	mv $(part_of) $@
$(OUT)/lengths.svg: $(OUT)/lengths.tsv
	$(plot) --y-label BLEU --title "By the length of the reference: $(CORPUS)" $<
$(OUT)/lengths.verdicts: $(OUT)/lengths.tsv
	$(call verdicts,awk -v seeds=$(words $(SEEDS)) -f $(paper)falls.awk $<)
lengths: $(OUT)/lengths.tsv $(OUT)/lengths.verdicts $(OUT)/lengths.svg
	@cat $(filter-out %.svg,$^)
