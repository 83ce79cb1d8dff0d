# The folders that all recipes work in which run programs.

BIN     ?= build/release
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
# To show help needs no programs.
$(if $(wildcard $(BIN)/tt-train)$(filter help,$(or $(MAKECMDGOALS),$(.DEFAULT_GOAL))),,$(error There are no programs in $(BIN). Run "make" first, or give BIN=folder))

include $(dir $(lastword $(MAKEFILE_LIST)))shell.mk
