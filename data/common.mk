# What all recipes here need: the folders they work in, and the shell that their commands are for.

BIN     ?= build/release
THREADS ?= $(shell nproc)
# What the paper's models are trained on: cpu, or cuda[:N], if the programs are built for it.
DEVICE  ?= cpu
$(foreach v,BIN OUT DATA,$(if $(filter undefined,$(origin $(v)))$(strip $($(v))),,$(error $(v) is empty; give a folder)))
$(foreach v,BIN OUT DATA TREEBANK,$(if $(word 2,$($(v))),$(error $(v) is "$($(v))"; make cannot have spaces in the names of files, choose another folder)))
# What make or the shell reads as more than a name.
special := ' " : ; % & $$ * ? [ ] ( ) < > | \ ` ~ { } \#
$(foreach v,BIN OUT DATA TREEBANK,$(foreach c,$(special),$(if $(findstring $(c),$($(v))),$(error $(v) is "$($(v))"; make cannot have $(c) in the names of files, choose another folder))))
$(foreach v,BIN OUT DATA TREEBANK,$(if $(filter -%,$($(v))),$(error $(v) is "$($(v))", which programs take for an option; say ./$($(v)))))
$(foreach v,BIN OUT DATA TREEBANK,$(if $(filter command environment,$(origin $(v))),$(if $(findstring $$,$(value $(v))),$(error $(v) is "$(value $(v))"; make reads $$ as the beginning of a variable's name, write the folder's own))))
# To show help needs no programs.
$(if $(wildcard $(BIN)/tt-train)$(filter help,$(or $(MAKECMDGOALS),$(.DEFAULT_GOAL))),,$(error There are no programs in $(BIN). Run "make" first, or give BIN=folder))

# Decimals have points.
export LC_ALL = C
SHELL       = bash
.SHELLFLAGS = -eo pipefail -c
default := $(.DEFAULT_GOAL)
FORCE:
.DEFAULT_GOAL := $(default)
.PHONY: FORCE
.DELETE_ON_ERROR:
.SECONDARY:

# A file that only this process writes, which is gone at its end, as two makes may work in one folder. The first begins a command.
own_part = trap 'rm -f $(part_of)' EXIT;
part_of  = $@.part.$$$$

# What is made ($(2)) is as old as its beginning ($(1)): what was changed meanwhile, as settings by another make, makes it again.
as_old = touch -r $(1) $(2)

# A file that is newer than what was made with other settings ($(1)).
settings = @$(own_part) mkdir -p $(@D); echo '$(subst ','\'',$(1))' > $(part_of); cmp -s $(part_of) $@ || mv $(part_of) $@
