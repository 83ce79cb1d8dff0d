# Table 1: one layer. The picture is the time against n at the width in the middle, where self-attention crosses the others.

LAYERS ?= $(if $(quick),--lengths 16$(comma)32$(comma)64$(comma)128$(comma)256$(comma)512 --widths 64$(comma)128$(comma)256 --seconds 0.02)

$(OUT)/complexity: FORCE
	$(call settings,$(LAYERS))
$(OUT)/table1.tsv: $(OUT)/complexity
	{ $(command); $(origin) | sed 's/^/-\t/'; } > $(basename $@).made
	$(own_part) $(BIN)/complexity measure $(LAYERS) > $(part_of) && mv $(part_of) $@
$(OUT)/table1.fit.tsv: $(OUT)/table1.tsv
	$(own_part) $(BIN)/complexity fit $< > $(part_of) && mv $(part_of) $@
$(OUT)/table1.svg: $(OUT)/table1.tsv
	awk -f $(paper)times.awk $< | $(plot) --log-x --log-y --y-label "ms, forward and backward" --title "Table 1: one layer"
$(OUT)/table1.verdicts: $(OUT)/table1.tsv $(OUT)/table1.fit.tsv
	$(call verdicts,awk -f $(paper)fitted.awk $(OUT)/table1.fit.tsv; awk -f $(paper)crossing.awk $<)
table1: $(OUT)/table1.verdicts $(OUT)/table1.svg
	@cat $<
