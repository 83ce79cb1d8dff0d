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

# Downloads an address ($(1)) to a file ($(2)), with more options of curl ($(3)). Without a network the last line says how to go on: with a file
# of one's own, unless the target is a list of several ($(4)), and with what a recipe that imports says in "instead".
download = { echo "$(strip $(1))" >&2; curl -fsSL --retry 3 $(3) -o $(2) "$(strip $(1))" || { echo "$(strip $(1)): not downloaded.\
 Behind a proxy, say https_proxy=http://HOST:PORT before make; without a network: $(if $(4),,put it there as $@)$(if $(4),$(subst ; or,,$(instead)),$(instead))" >&2; exit 1; }; }
# Whether a pair of languages ($(1)) has the form of a regular expression ($(2)).
is_pair = $(shell grep -Exq -e '$(2)' <<<'$(subst ','\'',$(1))' && echo yes)

# A file that is newer than what was made with other settings ($(1)).
settings = @$(own_part) mkdir -p $(@D); echo '$(subst ','\'',$(1))' > $(part_of); cmp -s $(part_of) $@ || mv $(part_of) $@
