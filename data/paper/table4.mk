# Table 4: constituency parsing, which is translation from words to brackets, on subword models of its own.

TREES     = $(OUT)/trees
TREE_UPDATES  ?= $(if $(quick),300,6000)
TREE_MODEL    ?= --preset tiny --dropout 0.1 $(if $(quick),--encoder-layers 2 --decoder-layers 2)
# A word whose embedding has grown long can make one gradient 10,000 times as long as all before, which counts as divergence: --clip.
TREE_TRAINING ?= --clip 1 --warmup $(if $(quick),100,1000) --rate 0.003 --schedule linear --save-every $(if $(quick),5,50) --keep-last 5 \
                 --extra-length 300 --tokenize none --tokens $(if $(quick),1024,4096) --max-length 512
$(call updates_ok,TREE_UPDATES,TREE_TRAINING)
TREE_AVERAGE  ?= --last 5
# With XX or tags in the place of each word a decoder has to count to find the next one, and one word too few moves all that follow.
TREE_LINEAR   ?= --words
TREE_VOCAB    ?= $(if $(quick),120,6000)
flags_parse      = $(TREE_MODEL)
flags_parse-lstm = --type lstm --bidirectional $(TREE_MODEL)
settings_trees = $(TREE_AVERAGE)
settings_rows4 = $(TABLE4) $(SEEDS)

TREE_SIZE ?= 1500
$(call positive,TREE_SIZE)
$(OUT)/toy-trees/train.mrg.gz $(OUT)/toy-trees/dev.mrg.gz: $(TREES)/treebank
	mkdir -p $(@D)
	$(own_part) awk -v seed=$(words $(@F:dev%=dev 2)) -v n=$(if $(findstring dev,$(@F)),100,$(TREE_SIZE)) -f $(paper)grammar.awk | gzip -n > $(part_of) && mv $(part_of) $@
$(TREEBANK)/%.mrg.gz:
	@[ -e $@ ] || { echo "$@ is missing; say TREEBANK=folder, with train.mrg.gz and dev.mrg.gz" >&2; exit 1; }

$(TREES)/treebank: FORCE
	$(call settings,$(TREEBANK) $(TREE_LINEAR) $(if $(quick),$(TREE_SIZE)))
$(TREES)/%.mrg: $(TREEBANK)/%.mrg.gz $(TREES)/treebank
	$(own_part) gzip -dc $< | awk -f $(paper)treebank.awk > $(part_of) && mv $(part_of) $@
# Phrases as trees of their own: short ones teach where words go, and there are fifteen times as many.
$(TREES)/parts.mrg: $(TREES)/train.mrg
	$(own_part) $(BIN)/tt-tree subtrees $< > $(part_of) && mv $(part_of) $@
$(TREES)/%.words: $(TREES)/%.mrg
	$(own_part) $(BIN)/tt-tree words $< > $(part_of) && mv $(part_of) $@
$(TREES)/%.linear: $(TREES)/%.mrg
	$(own_part) $(BIN)/tt-tree linear $(TREE_LINEAR) $< > $(part_of) && mv $(part_of) $@
$(TREES)/sizes: FORCE
	$(call settings,$(TREE_VOCAB))
$(TREES)/subword.model: $(TREES)/parts.words $(TREES)/parts.linear $(TREES)/sizes
	touch $@.asked
	$(BIN)/tt-bpe train -q --vocab-size $(TREE_VOCAB) --coverage 1 --normalisation identity -o $@ $(TREES)/parts.words $(TREES)/parts.linear
	$(call as_old,$@.asked,$@)
$(TREES)/runs/%/flags: FORCE
	$(call settings,$(TREE_TRAINING) --max-updates $(TREE_UPDATES) $(flags_$(call row,$*)) --seed $(call seed,$*))
# Trains on the words and linear trees whose names begin with $(1).
learn_trees = $(call begin,$(@D),$$(cat $<),$(TREES)/subword.model $(1).words $(1).linear); $(origin) >> $(@D)/made; \
  $(BIN)/tt-train -q $$(cat $<) --valid-every 0 --train $(1).words $(1).linear --dev $(TREES)/dev.words $(TREES)/dev.linear \
  --subword $(TREES)/subword.model -o $(@D)/run --log $(@D)/log.jsonl --threads $(THREADS) $(on_device) && \
  $(BIN)/tt-average -q $(TREE_AVERAGE) -o $@ $(@D)/run && $(call as_old,$(@D)/begun,$@)
# One pattern rule may not make both the words of a parser's trees and those that it has learned: rules of self-training name their seeds.
of_trees = $(foreach p,$(1) dev,$(TREES)/$(p).words $(TREES)/$(p).linear) $(TREES)/subword.model $(OUT)/trees.flags
$(TREES)/runs/%/model.tt: $(TREES)/runs/%/flags $(call of_trees,parts)
	$(call learn_trees,$(TREES)/parts)
# Semi-supervised parsing, for which the paper adds some 17 million sentences that other parsers have parsed (92.7 instead of 91.3): in
# miniature, by self-training. A first parser learns every other tree (parse-half) and parses the words of the rest; the second
# learns both (parse-self). TABLE4="parse-half parse-self parse" shows what these trees are worth beside the true ones.
flags_parse-half = $(TREE_MODEL)
flags_parse-self = $(TREE_MODEL)
$(TREES)/half.mrg $(TREES)/rest.mrg: $(TREES)/train.mrg
	$(own_part) awk 'NR % 2 == $(if $(filter %half.mrg,$@),1,0)' $< > $(part_of) && mv $(part_of) $@
$(TREES)/half-parts.mrg: $(TREES)/half.mrg
	$(own_part) $(BIN)/tt-tree subtrees $< > $(part_of) && mv $(part_of) $@
$(SEEDS:%=$(TREES)/runs/parse-half@%/model.tt): $(TREES)/runs/parse-half@%/model.tt: $(TREES)/runs/parse-half@%/flags $(call of_trees,half-parts)
	$(call learn_trees,$(TREES)/half-parts)
$(SEEDS:%=$(TREES)/self@%.mrg): $(TREES)/self@%.mrg: $(TREES)/runs/parse-half@%/model.tt $(TREES)/rest.words
	$(BIN)/tt-translate -q -m $< --beam 4 --threads $(THREADS) $(TREES)/rest.words > $@.linear || [ $$? = 3 ]
	$(own_part) $(BIN)/tt-tree parse -q $(filter --words,$(TREE_LINEAR)) $(TREES)/rest.words $@.linear > $(part_of) || [ $$? = 3 ]; mv $(part_of) $@
$(SEEDS:%=$(TREES)/self@%-parts.mrg): $(TREES)/self@%-parts.mrg: $(TREES)/self@%.mrg $(TREES)/half.mrg
	$(own_part) cat $^ | $(BIN)/tt-tree subtrees > $(part_of) && mv $(part_of) $@
$(SEEDS:%=$(TREES)/runs/parse-self@%/model.tt): $(TREES)/runs/parse-self@%/model.tt: $(TREES)/runs/parse-self@%/flags $(call of_trees,self@%-parts)
	$(call learn_trees,$(TREES)/self@$*-parts)
# One beam and alpha: the trees, how many of them were well-formed, and their score.
parsed = $(own_part) touch $@.asked; $(BIN)/tt-translate -q -m $< --beam $(1) --alpha $(2) --threads $(THREADS) $(TREES)/dev.words > $@.linear || [ $$? = 3 ]; \
         $(BIN)/tt-tree parse $(filter --words,$(TREE_LINEAR)) $(TREES)/dev.words $@.linear > $@.mrg 2> $@.repaired || [ $$? = 3 ] || { cat $@.repaired >&2; exit 1; }; \
         bad=$$(sed -nE 's/.*: ([0-9,]+) of .*/\1/p' $@.repaired | tr -d ,); \
         f1=$$($(BIN)/tt-tree score -b $(TREES)/dev.mrg $@.mrg); all=$$(grep -c '' $(TREES)/dev.words); \
         printf '%s\t%s\t%s\t%s\t%s\n' '$(call row,$*) $(1) $(2)' '$(call seed,$*)' "$$f1" "$${bad:-0}" "$$all" > $(part_of); mv $(part_of) $@; $(call as_old,$@.asked,$@)
$(TREES)/runs/%/wide: $(TREES)/runs/%/model.tt
	$(call parsed,21,0.3)
$(TREES)/runs/%/plain: $(TREES)/runs/%/model.tt
	$(call parsed,4,0.6)
TABLE4 ?= parse parse-lstm
$(if $(strip $(TABLE4)),,$(error TABLE4 is empty; name rows, as in TABLE4="parse parse-lstm"))
$(call known,TABLE4)
$(OUT)/table4.tsv: $(foreach r,$(TABLE4),$(foreach s,$(SEEDS),$(TREES)/runs/$(r)@$(s)/plain $(TREES)/runs/$(r)@$(s)/wide)) $(OUT)/rows4.flags
	$(call made_by,$(foreach r,$(TABLE4),$(SEEDS:%=$(TREES)/runs/$(r)@%)))
	$(own_part) awk -f $(paper)parses.awk $(filter %/plain %/wide,$^) > $(part_of) && mv $(part_of) $@
$(OUT)/table4.svg: $(OUT)/table4.tsv
	cut -f 1-3 $< | $(plot) --y-label F1 --title "Table 4: constituency parsing"
$(OUT)/table4.verdicts: $(OUT)/table4.tsv
	$(call verdicts,awk -v table='table 4' -v better=F1 -f $(paper)judge.awk $(paper)table4.claims $<)
table4: $(OUT)/table4.tsv $(OUT)/table4.verdicts $(OUT)/table4.svg
	@cat $(filter-out %.svg,$^)
