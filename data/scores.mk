# Scores of a model on test sets that are known by name: those of WMT (wmt-sets.mk), and FLORES-200 (flores.mk). A recipe that includes
# this sets before:
#   model      the model that it makes, and MODEL, the one that is scored
#   scored     its name in names of files
#   SET        the languages of a set of WMT, as en-de; FLORES those of FLORES, as eng_Latn-deu_Latn
#   spoken     options of tt-translate for these languages, by $(call spoken,source,target)
#   TOKEN      what the sentences begin with

sets = $(patsubst %,wmt%,08 09 10 11 12 13 14 14-full 15 16 17 18 19 20 21 22 23 24)
metrics = bleu,chrf++
first_goal := $(.DEFAULT_GOAL)
scores := $(dir $(lastword $(MAKEFILE_LIST)))

# wmt-sets.mk and tt-bleu know languages, which are written in small letters, and no groups.
ifneq ($(filter $(sets),$(MAKECMDGOALS)),)
$(if $(shell echo '$(SET)' | grep -Ex '[a-z]{2,3}-[a-z]{2,3}'),,$(error "$(SET)" are no two languages; say which test set, as in \
  "make $(firstword $(MAKECMDGOALS)) $(example)"))
endif
ifneq ($(filter flores,$(MAKECMDGOALS)),)
$(if $(FLORES),,$(error say of which languages, as in "make flores FLORES=eng_Latn-deu_Latn"))
endif

one_of = $(word $(1),$(subst -, ,$(2)))
# Translates the source of a set ($(1)), of these languages ($(2)), and scores it; of the model that was scored last.
hyp   = $(OUT)/$@.$(scored).hyp
score = trap 'rm -f $(hyp).$$$$' EXIT; sed 's/^/$(if $(TOKEN),$(TOKEN) )/' $(1).src | \
	{ $(BIN)/tt-translate -m $(MODEL) $(call spoken,$(call one_of,1,$(2)),$(call one_of,2,$(2))) || [ $$? = 3 ]; } >$(hyp).$$$$; \
	$(BIN)/tt-bleu $(3) $(1).ref$(REF:%=-%) <$(hyp).$$$$ || [ $$? = 3 ]; mv $(hyp).$$$$ $(hyp)

$(sets): $(filter $(model),$(MODEL))
	$(MAKE) -f $(scores)wmt-sets.mk $@ PAIR=$(SET) OUT=$(OUT)
	$(call score,$(OUT)/$@.$(SET),$(SET),-l $(SET))
flores: $(filter $(model),$(MODEL))
	$(MAKE) -f $(scores)flores.mk devtest PAIR=$(FLORES) OUT=$(OUT)
	$(call score,$(OUT)/flores-devtest.$(FLORES),$(FLORES),-m $(metrics))

.DEFAULT_GOAL := $(first_goal)
.PHONY: $(sets) flores
