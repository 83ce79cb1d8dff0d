# "It may allow the model to extrapolate to sequence lengths longer than the ones encountered during training" (section 3.5): models that
# were trained on pairs of at most SHORT words alone translate the whole test set; BLEU, and the tokens of translations for each of the
# references', in groups of sentences by the words of their source. base, trained on all lengths, is what can be had.

SHORT ?= $(if $(filter toy,$(CORPUS)),8,12)
SHORT_STEP ?= $(if $(filter toy,$(CORPUS)),2,4)
EXTRAPOLATE ?= base $(addprefix short-,base learned relative no-positions)
$(call positive,SHORT)$(call positive,SHORT_STEP)
flags_relative = $(MODEL) --positions relative
$(foreach r,base learned relative no-positions,$(eval flags_short-$(r) = $$(flags_$(r))))
settings_short       = $(CORPUS) $(SHORT)
settings_extrapolate = $(EXTRAPOLATE) $(SEEDS) $(SHORT) $(SHORT_STEP) $(ONCE)
$(if $(strip $(EXTRAPOLATE)),,$(error EXTRAPOLATE is empty; name rows, as in EXTRAPOLATE="short-base short-learned"))
$(call known,EXTRAPOLATE)

plain      = $(if $(GZ),gzip -dc,cat) $(call side,$(1),$(2))
short_text = $(OUT)/short.$(source) $(OUT)/short.$(target)
# A line of Japanese, without spaces, is one word, and as long as its source says.
$(short_text) &: $(call both,train) $(OUT)/short.flags
	trap 'rm -f $(part_of).*' EXIT; $(call plain,train,$(target)) > $(part_of).all; \
	$(call plain,train,$(source)) | paste - $(part_of).all | awk -F '\t' -v most=$(SHORT) -v out=$(part_of) \
	  'split($$1, w, " ") <= most && split($$2, w, " ") <= most { print $$1 > (out ".1"); print $$2 > (out ".2"); ++n } \
	   END { if (!n) { print "no pair has at most " most " words; choose a larger SHORT" > "/dev/stderr"; exit 1 } }'; \
	mv $(part_of).1 $(OUT)/short.$(source); mv $(part_of).2 $(OUT)/short.$(target)
$(OUT)/runs/short-%/model.tt: $(OUT)/runs/short-%/flags $(OUT)/subword.model $(short_text) $(call both,dev) $(OUT)/average.flags | $(OUT)/pairs
	$(call train_row,$(short_text))

# Three groups of longer sentences, the last of which has all that are longer still.
$(OUT)/groups: $(call side,test,$(source)) $(OUT)/extrapolate.flags
	$(own_part) $(call plain,test,$(source)) | awk -v most=$(SHORT) -v step=$(SHORT_STEP) \
	  '{ low = most + 1; for (i = 0; i < 2 && NF >= low + step; ++i) low += step; print NF <= most ? "1-" most : low "-" (i < 2 ? low + step - 1 : "") }' > $(part_of) && mv $(part_of) $@
# Row, group, BLEU and that ratio, for groups of 20 sentences at least.
$(OUT)/runs/%/extrapolated: $(OUT)/runs/%/test $(call side,test,$(target)) $(OUT)/groups $(OUT)/score.flags
	$(own_part) $(BIN)/tt-bleu -q --force --json $(SCORE) --width 2 --group $(OUT)/groups $(call side,test,$(target)) -i $< | tr -d '", ' | \
	  awk -F : -v row=$(call row,$*) '$$1 == "group" { group = $$2 } $$1 == "segments" { n = $$2 } $$1 == "score" { score = $$2 } \
	    $$1 == "ratio" && group ~ /^[0-9]/ && n >= 20 { print row "\t" group "\t" score "\t" $$2 }' | sort -t '	' -k2n > $(part_of) && mv $(part_of) $@
$(OUT)/extrapolate.tsv: $(addsuffix /extrapolated,$(call runs,$(EXTRAPOLATE))) $(OUT)/extrapolate.flags
	$(call made_by,$(call runs,$(EXTRAPOLATE)))
	$(own_part) awk -f $(paper)lengths.awk $(filter %/extrapolated,$^) > $(part_of); \
	if [ $$(grep -c '' $(part_of)) -lt 3 ]; then echo "no two groups of lengths have 20 sentences; choose another SHORT, or a larger SHORT_STEP" >&2; exit 1; fi; mv $(part_of) $@
$(OUT)/extrapolate.ratio.tsv: $(OUT)/extrapolate.tsv
	$(own_part) cut -f 1,2,4 $(addsuffix /extrapolated,$(call runs,$(EXTRAPOLATE))) | awk -f $(paper)lengths.awk > $(part_of) && mv $(part_of) $@
$(OUT)/extrapolate.svg: $(OUT)/extrapolate.tsv
	$(plot) --y-label BLEU --title "Trained on sentences of at most $(SHORT) words: $(CORPUS)" $<
$(OUT)/extrapolate.verdicts: $(OUT)/extrapolate.tsv
	$(call verdicts,awk -v short=$(SHORT) -v seeds=$(words $(SEEDS)) -f $(paper)extrapolates.awk $<)
extrapolate: $(OUT)/extrapolate.tsv $(OUT)/extrapolate.ratio.tsv $(OUT)/extrapolate.verdicts $(OUT)/extrapolate.svg
	@cat $(filter-out %.svg,$^)
.PHONY: extrapolate
