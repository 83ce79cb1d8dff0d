# FLORES-200 (NLLB Team 2022), the same sentences in 204 languages, as plain text. The archive is downloaded once, and refused if its
# checksum is not that of the published one.
#
#   make devtest PAIR=eng_Latn-deu_Latn [OUT=folder]     with -f this file; 1,012 sentences of the test set, or dev: 997
#   tt-translate -m nllb.tt --from eng_Latn --to deu_Latn < build/flores/flores-devtest.eng_Latn-deu_Latn.src |
#     tt-bleu build/flores/flores-devtest.eng_Latn-deu_Latn.ref -m chrf++

OUT  = build/flores
include $(dir $(lastword $(MAKEFILE_LIST)))shell.mk
splits = dev devtest
source = $(firstword $(subst -, ,$(PAIR)))
target = $(lastword $(subst -, ,$(PAIR)))

ifeq ($(shell echo '$(PAIR)' | grep -Ex '[a-z]{3}_[A-Z][a-z]{3}-[a-z]{3}_[A-Z][a-z]{3}'),)
$(error give the languages as FLORES has them, as in "make -f $(firstword $(MAKEFILE_LIST)) devtest PAIR=eng_Latn-deu_Latn"; the sets are $(splits))
endif

url_flores    = https://dl.fbaipublicfiles.com/nllb/flores200_dataset.tar.gz
sha256_flores = b8b0b76783024b85797e5cc75064eb83fc5288b41e9654dabc7be6ae944011f6
archive       = $(OUT)/archives/flores200.tgz
text          = $(OUT)/flores-$(1).$(PAIR)

# Writes one language ($(2)) of a part ($(1)) into the target.
extract = $(own_part) tar -xzOf $< --no-anchored 'flores200_dataset/$(1)/$(2).$(1)' > $(part_of) && [ -s $(part_of) ] || \
          { echo "flores: has no $(2)" >&2; exit 1; }; mv $(part_of) $@

$(splits): %: $(call text,%).src $(call text,%).ref
	@[ $$(wc -l < $<) = $$(wc -l < $(word 2,$^)) ] || { echo "$^ differ in length" >&2; exit 1; }
	@wc -l $^ | sed '$$d'
$(splits:%=$(OUT)/flores-%.$(PAIR).src): $(OUT)/flores-%.$(PAIR).src: $(archive)
	@$(call extract,$*,$(source))
$(splits:%=$(OUT)/flores-%.$(PAIR).ref): $(OUT)/flores-%.$(PAIR).ref: $(archive)
	@$(call extract,$*,$(target))
$(archive):
	mkdir -p $(@D)
	@$(own_part) $(call download,$(url_flores),$(part_of)); \
	echo "$(sha256_flores)  $(part_of)" | sha256sum -c --status - || \
	  { echo "$(url_flores): not the published file; if it is a newer one, set sha256_flores=..." >&2; exit 1; }; \
	mv $(part_of) $@

.PHONY: $(splits)
