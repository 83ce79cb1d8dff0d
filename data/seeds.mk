# Two settings of one experiment, each with several seeds: means, standard deviations, and whether the difference is more than chance.
#
#   make -f data/seeds.mk [RECIPE=toy|multi30k|l10n] [A="options of tt-train"] [B="..."] [SEEDS="1 2 3"] [OUT=folder] [DATA=folder]
#
# A and B are added to the options of the recipe. A run is what the recipe alone would make, in OUT/A@1; one that was begun with other options
# begins anew. The table is OUT/seeds.tsv, a picture of it seeds.svg. Significance is that of approximate randomisation on the lines of all
# seeds together: it is of these models; what another seed would give, the deviation tells.

RECIPE ?= toy
A      ?= --label-smoothing 0
B      ?= --label-smoothing 0.1
SEEDS  ?= 1 2 3
$(if $(strip $(SEEDS)),,$(error SEEDS is empty; give numbers, as in SEEDS="1 2 3"))
$(if $(filter $(words $(SEEDS)),$(words $(sort $(SEEDS)))),,$(error SEEDS is "$(SEEDS)"; a number that comes twice is one run))
OUT    ?= build/seeds-$(RECIPE)
here   := $(dir $(lastword $(MAKEFILE_LIST)))
.DEFAULT_GOAL := seeds
include $(here)$(RECIPE).mk

runs = $(foreach s,A B,$(SEEDS:%=$(OUT)/$(s)@%))
of   = $(filter $(OUT)/$(1)@%,$(runs:%=%/test.$(TARGET)))
seeds: $(OUT)/seeds.tsv $(OUT)/seeds.svg $(OUT)/significance
	@cat $< $(word 3,$^)
$(runs:%=%/score): $(OUT)/%/score: $(SUBWORD_MODEL) $(foreach part,$(DEV) $(TEST),$(call files,$(part))) FORCE
	+@$(MAKE) --no-print-directory -f $(here)$(RECIPE).mk BIN=$(BIN) OUT=$(@D) DATA=$(DATA) SUBWORD_MODEL=$< ANEW=yes THREADS=$(THREADS) \
	  MORE='$($(firstword $(subst @, ,$*))) --seed $(lastword $(subst @, ,$*))' $@
$(runs:%=%/test.$(TARGET)): %/test.$(TARGET): %/score ;
$(OUT)/seeds.tsv: $(runs:%=%/test.$(TARGET)) $(OUT)/score.flags
	$(own_part) { printf 'setting\tseed\tBLEU\n'; for run in $(runs); do name=$${run##*/}; \
	  printf '%s\t%s\t%s\n' $${name%@*} $${name#*@} $$($(BIN)/tt-bleu -q -b -w 2 $(SCORE) $(TEST).$(TARGET)$(GZ) -i $$run/test.$(TARGET)); done; } \
	  > $(part_of); $(here)means $(part_of) > $@; rm $(part_of)
$(OUT)/seeds.svg: $(OUT)/seeds.tsv
	$(BIN)/tt-table-plot -q -o $@ <(cut -f 1-3 $<)
$(OUT)/significance: $(runs:%=%/test.$(TARGET)) $(OUT)/score.flags
	$(own_part) for run in $(SEEDS); do gzip -dcf < $(TEST).$(TARGET)$(GZ); done > $(part_of).ref; cat $(call of,A) > $(part_of).A; cat $(call of,B) > $(part_of).B; \
	  $(BIN)/tt-bleu -q $(SCORE) --paired-ar $(part_of).ref -i A=$(part_of).A B=$(part_of).B > $(part_of); mv $(part_of) $@
