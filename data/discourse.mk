# The contrastive test sets of Bawden et al. 2018, English to French: 200 pairs of translations each, of pronouns and of words, of which the
# sentence before says which one is right. A model of sentences is right in half of them.
#
#   make text [OUT=folder]              with -f this file: OUT/anaphora.en, .fr, OUT/lexical_choice.en, .fr: the sentence before, the
#                                       sentence, and an empty line, for the right translation and the wrong one in turn
#   make score MODEL=model.tt           how often the model, translating with its context (tt-context(7)), finds the right one likelier

OUT = build/discourse
include $(dir $(lastword $(MAKEFILE_LIST)))shell.mk
sets   = anaphora lexical_choice
commit = 13d88cee7cfca92d3d5ae2b471b04c62795baac3
url    = https://raw.githubusercontent.com/rbawden/discourse-mt-test-sets/$(commit)/test-sets/$(1)
sha256_anaphora.prev.en          = 4a22329108a49f29e7d49f7e08c095a5a892243c1fae9220fcd9d0d387d26106
sha256_anaphora.prev.fr          = 46373eda29e5cb116b4cdc774f555be68fd944a234dae8ab183481551b08e0f2
sha256_anaphora.current.en       = 3dd595f5f839a6701b08716380657f1976b42a675a3645ae32b58358a3ed2f4a
sha256_anaphora.current.fr       = 5fca0398ac71f0892041375eb5dcb53f95afcb1af61a7de7d1dbfcabfb4d5b32
sha256_lexical_choice.prev.en    = c27e711814e68eed99dfaf60baca002547ba239dbaadf06dbd80feff6f42cd1f
sha256_lexical_choice.prev.fr    = 054e16a561b00aaf6b5b35dd1734d2c78517842528e29a82a147279f496bde7a
sha256_lexical_choice.current.en = 465382938d7fc86df04009a838f4266e2a973264205450b183d917481a443a6f
sha256_lexical_choice.current.fr = f907fa6d93940153725b30714fd81cffef24fcd9effe20fc96c1f7a945e9cf9f
BIN := $(or $(patsubst %/tt-translate,%,$(wildcard build/release/tt-translate)),$(patsubst %/tt-translate,%,$(shell command -v tt-translate)),build/release)

texts = $(foreach s,$(sets),$(OUT)/$(s).en $(OUT)/$(s).fr)
text: $(texts)
	@wc -l $^ | sed '$$d'
$(foreach s,$(sets),$(foreach l,en fr,$(foreach p,prev current,$(OUT)/files/$(s).$(p).$(l)))):
	mkdir -p $(@D)
	@$(own_part) $(call download,$(call url,$(@F)),$(part_of)); echo "$(sha256_$(@F))  $(part_of)" | sha256sum -c --status - || \
	  { echo "$(call url,$(@F)): not the published file" >&2; exit 1; }; mv $(part_of) $@
define text
$(OUT)/$(1).$(2): $(OUT)/files/$(1).prev.$(2) $(OUT)/files/$(1).current.$(2)
	$$(own_part) paste -d '\n' $$^ /dev/null > $$(part_of) && mv $$(part_of) $$@
endef
$(foreach s,$(sets),$(foreach l,en fr,$(eval $(call text,$(s),$(l)))))

score: $(texts)
	@$(if $(MODEL),,echo 'give MODEL=model.tt, a model of English to French' >&2; exit 2;) $(foreach s,$(sets),{ $(BIN)/tt-translate -q -m $(MODEL) --score $(OUT)/$(s).fr < $(OUT)/$(s).en || [ $$? = 3 ]; } | \
	  awk 'NR % 6 == 2 { right = $$1 } NR % 6 == 5 { ++n; wins += right > $$1 } END { printf "%s: %d of %d, %.1f %%\n", "$(s)", wins, n, 100 * wins / n }';)
.PHONY: text score
