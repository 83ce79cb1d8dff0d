# The folders that all recipes work in which run programs.

# The programs that are built here, or else those on PATH.
ifeq ($(origin BIN),undefined)
BIN := $(or $(patsubst %/tt-train,%,$(wildcard build/release/tt-train)),$(patsubst %/tt-train,%,$(shell command -v tt-train)),build/release)
endif
THREADS ?= $(shell nproc)
# The device that models are trained on: cpu, or cuda[:N], if the programs are built for it (BIN=build/release-cuda). There PRECISION may be
# tf32 or bfloat16.
DEVICE    ?= cpu
on_device = $(if $(filter-out cpu,$(DEVICE)),--device $(DEVICE) $(PRECISION:%=--precision %))
$(foreach v,BIN OUT DATA,$(if $(filter undefined,$(origin $(v)))$(strip $($(v))),,$(error $(v) is empty; give a folder)))
$(foreach v,BIN OUT DATA TREEBANK,$(if $(word 2,$($(v))),$(error $(v) is "$($(v))"; make cannot have spaces in the names of files, choose another folder)))
# Characters that make or the shell reads as more than a name.
special := ' " : ; % & $$ * ? [ ] ( ) < > | \ ` ~ { } \#
$(foreach v,BIN OUT DATA TREEBANK,$(foreach c,$(special),$(if $(findstring $(c),$($(v))),$(error $(v) is "$($(v))"; make cannot have $(c) in the names of files, choose another folder))))
$(foreach v,BIN OUT DATA TREEBANK,$(if $(filter -%,$($(v))),$(error $(v) is "$($(v))", which programs take for an option; say ./$($(v)))))
$(foreach v,BIN OUT DATA TREEBANK,$(if $(filter command environment,$(origin $(v))),$(if $(findstring $$,$(value $(v))),$(error $(v) is "$(value $(v))"; make reads $$ as the beginning of a variable's name, write the folder's own))))
$(foreach v,BIN OUT DATA TREEBANK,$(if $(findstring =,$(firstword $(subst /, ,$(patsubst /%,.,$($(v)))))),$(error $(v) is "$($(v))", which programs take for a variable; say ./$($(v)))))
# A run, $(1)/run, that was begun with other options ($(2)), subword models or text ($(3)) is no beginning; tt-train locks the folder that it is
# writing, and says first whether the options are such, with those that name the text ($(4)) where others need them.
begin = $(idle); { echo $(2); cat $(3); } | cksum > $(1)/now; if [ -d $(1)/run ] && [ ! -e $(1)/begun ]; then \
          echo "$(1)/run: was begun before it was noted with what, and is taken as it is" >&2; mv $(1)/now $(1)/begun; fi; \
        cmp -s $(1)/now $(1)/begun || [ ! -e $(1)/now ] || { $(BIN)/tt-train $(2) $(4) --print-config > /dev/null || exit 1; \
          [ ! -d $(1)/run ] || echo "$(1)/run: was begun with other settings or text; it begins anew" >&2; \
          rm -rf $(1)/run $(1)/log.jsonl $(1)/made; mv $(1)/now $(1)/begun; }; rm -f $(1)/now; touch $(1)/begun
# Without locks (then flock ends with another status than 1) nobody knows.
idle  = [ ! -d $(1)/run ] || flock -n $(1)/run true || [ $$? != 1 ] || { echo "$(1)/run: another training is using this folder; wait for it, or give another OUT" >&2; exit 1; }
# Text as a word of the shell.
quoted = '$(subst ','\'',$(1))'
# What a variable ($(1)) must be, if it is not: a whole number from 1 on, or a part of one, from 0 to less than 1.
number = $(if $(shell [[ '$($(1))' =~ ^[1-9][0-9]{0,8}$$ ]] && echo yes),,$(error $(1) is "$($(1))"; give a whole number from 1 on))
# Languages without spaces between words: their BLEU is of characters.
unspaced   = ja jpn zh zho cmn yue th tha lo lao km khm my mya bo bod dz dzo
characters = $(if $(filter $(firstword $(subst -, ,$(subst _, ,$(1)))),$(unspaced)),--tokenize char)
part   = $(if $(shell [[ '$($(1))' =~ ^(0|0?\.[0-9]+)$$ ]] && echo yes),,$(error $(1) is "$($(1))"; give a part of 1, as in 0.05, or 0))

# To show help needs no programs.
$(if $(wildcard $(BIN)/tt-train)$(filter help,$(or $(MAKECMDGOALS),$(.DEFAULT_GOAL))),,$(error There are no programs in $(BIN). Run "make" first, or give BIN=folder))

include $(dir $(lastword $(MAKEFILE_LIST)))shell.mk
