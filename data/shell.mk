# The shell that the recipes are for, and files that are there whole or not at all.

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
own_part = trap 'rm -f $(part_of) $(part_of).*' EXIT;
part_of  = $@.part.$$$$

# A file that is made ($(2)) is as old as its beginning ($(1)): what was changed meanwhile, as settings by another make, makes it again.
as_old = touch -r $(1) $(2)

# A file that is newer than what was made with other settings ($(1)).
settings = @$(own_part) mkdir -p $(@D); echo '$(subst ','\'',$(1))' > $(part_of); cmp -s $(part_of) $@ || mv $(part_of) $@
