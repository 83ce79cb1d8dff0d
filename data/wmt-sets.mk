# Test sets of WMT under sacreBLEU's names, as the plain text that it extracts (sacrebleu -t wmt14 -l en-de --echo src ref).
# An archive is downloaded once, and refused if its checksum is not that of the published one.
#
#   make wmt14 PAIR=en-de [OUT=folder] [REF=B]     with -f this file
#   tt-translate -m model.tt < build/wmt/wmt14.en-de.src | tt-bleu build/wmt/wmt14.en-de.ref -l en-de
#
# The sets are wmt08 to wmt24, and wmt14-full with all segments of 2014. Up to 2020, entities such as &quot; are kept, as sacreBLEU
# keeps them; the tokenizer 13a decodes them. REF chooses another reference than the first, where there are several; its file is
# then OUT/wmt20.en-de.ref-B.

OUT  = build/wmt
include $(dir $(lastword $(MAKEFILE_LIST)))shell.mk
sets = $(patsubst %,wmt%,08 09 10 11 12 13 14 14-full 15 16 17 18 19 20 21 22 23 24)

ifneq ($(words $(subst -, ,$(PAIR))),2)
$(error give the languages, as in "make -f $(firstword $(MAKEFILE_LIST)) wmt14 PAIR=en-de"; the sets are $(sets))
endif
source = $(firstword $(subst -, ,$(PAIR)))
target = $(lastword $(subst -, ,$(PAIR)))
ref    = ref$(REF:%=-%)

# The archive of a set, its checksum (MD5), and the folder in it.
statmt = https://data.statmt.org
github = https://github.com/wmt-conference
$(foreach y,08 09 10 11 12 13 15,$(eval url_wmt$(y) = https://statmt.org/wmt$(y)/test.tgz))
$(foreach y,16 17 18 19 20 21,$(eval url_wmt$(y) = $(statmt)/wmt$(y)/translation-task/test.tgz))
url_wmt14      = https://statmt.org/wmt14/test-filtered.tgz
url_wmt14-full = https://statmt.org/wmt14/test-full.tgz
url_wmt22      = $(github)/wmt22-news-systems/archive/refs/tags/v1.1.tar.gz
url_wmt23      = $(github)/wmt23-news-systems/archive/refs/tags/v.0.1.tar.gz
url_wmt24      = $(github)/wmt24-news-systems/releases/download/v1.1/data_onlyxml.tar.gz

md5_wmt08      = 0582e4e894a3342044059c894e1aea3d
md5_wmt09      = da227abfbd7b666ec175b742a0d27b37
md5_wmt10      = 491cb885a355da5a23ea66e7b3024d5c
md5_wmt11      = b0c9680adf32d394aefc2b24e3a5937e
md5_wmt12      = 608232d34ebc4ba2ff70fead45674e47
md5_wmt13      = 48eca5d02f637af44e85186847141f67
md5_wmt14      = 84c597844c1542e29c2aff23aaee4310
md5_wmt14-full = a8cd784e006feb32ac6f3d9ec7eb389a
md5_wmt15      = 67e3beca15e69fe3d36de149da0a96df
md5_wmt16      = 3d809cd0c2c86adb2c67034d15c4e446
md5_wmt17      = 86a1724c276004aa25455ae2a04cef26
md5_wmt18      = f996c245ecffea23d0006fa4c34e9064
md5_wmt19      = 84de7162d158e28403103b01aeefc39a
md5_wmt20      = 3b1f777cfd2fb15ccf66e9bfdb2b1699
md5_wmt21      = 32e7ab995bc318414375d60f0269af92
md5_wmt22      = 0840978b9b50b9ac3b2b081e37d620b9
md5_wmt23      = 63576405e4ce07130a19ad76ba7eb75b
md5_wmt24      = 299963fcb7b4e86d6d212bf69beb9580

$(foreach y,08 09 10 12 13 14 15 16 17 18 21,$(eval folder_wmt$(y) = test/))
$(foreach y,19 20,$(eval folder_wmt$(y) = sgm/))
folder_wmt14-full = test-full/
folder_wmt22      = wmt22-news-systems-1.1/xml/
folder_wmt23      = wmt23-news-systems-v.0.1/xml/
folder_wmt24      = xml/

# The file of one side (src or ref) in it. Up to 2013 every language is a source. In 2014 both directions have the same files.
# From 2021 on one file has both sides.
old     = 2008 2009 2010 2011 2012 2013
year    = $(patsubst wmt%,20%,$(1:-full=))
name_of = $(or $(if $(filter $(old),$(1)),newstest$(1)-src.$(call old_code_$(1),$($(2)_code)).sgm), \
               $(if $(filter 2014,$(1)),newstest2014-$(filter-out en,$(source) $(target))en-$(2).$($(2)_code).sgm), \
               $(if $(filter 2021,$(1)),$(if $(filter $(flores),$(PAIR)),flores,news)test2021.$(PAIR).xml), \
               $(if $(filter 2022 2023 2024,$(1)),wmttest$(1).$(PAIR).all.xml), \
               $(news)test$(if $(filter ref,$(2)),$(REF))$(1)-$(source)$(target)-$(2).$($(2)_code).sgm)
src_code = $(source)
ref_code = $(target)
$(foreach y,2008 2009 2010,$(eval old_code_$(y) = $$(patsubst cs,cz,$$(1))))
$(foreach y,2011 2012 2013,$(eval old_code_$(y) = $$(1)))
flores   = bn-hi hi-bn xh-zu zu-xh
news     = $(if $(filter 2015-en-fr 2015-fr-en,$(1)-$(PAIR)),newsdiscuss,news)
member   = $(folder_$(1))$(strip $(call name_of,$(call year,$(1)),$(2)))

# The translator of the default reference, where there are several.
first_ref = $(if $(filter 2021 2022,$(1)),$(if $(filter 2022-cs-en 2022-en-cs,$(1)-$(PAIR)),B,$(if $(filter 2022-liv-en \
            2022-ru-sah,$(1)-$(PAIR)),,A)),$(if $(filter en-he he-en,$(PAIR)),refB,refA))
translator = $(or $(REF),$(strip $(call first_ref,$(call year,$(1)))))

# Runs of Unicode white space (in bytes) become one space, and none at the ends.
space = [\t-\r\x1c- ]|\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xa8\xa9\xaf]|\xe2\x81\x9f|\xe3\x80\x80
clean = sed -E 's/($(space))+/ /g; s/^ //; s/ $$//'
# Up to 2020 the files look like SGML, with one segment in each line that starts with <seg.
sgml  = sed -nE '/^<seg /{ s/<seg[^>]*>(.*)<\/seg>/\1/; p; }'
# XML: for each document, the segments that were translated, in the order of their numbers, without test suites.
define xml
function attribute(name) {
  if (!match(tag, "[ \t\r\n]" name "[ \t\r\n]*=[ \t\r\n]*(\"[^\"]*\"|'[^']*')")) return ""
  value = substr(tag, RSTART, RLENGTH)
  sub(/^[^"']*["']/, "", value)
  return substr(value, 1, length(value) - 1)
}
function utf8(c) {
  if (c < 128) return sprintf("%c", c)
  if (c < 2048) return sprintf("%c%c", 192 + int(c / 64), 128 + c % 64)
  if (c < 65536) return sprintf("%c%c%c", 224 + int(c / 4096), 128 + int(c / 64) % 64, 128 + c % 64)
  return sprintf("%c%c%c%c", 240 + int(c / 262144), 128 + int(c / 4096) % 64, 128 + int(c / 64) % 64, 128 + c % 64)
}
function number(digits, base,    i, n) {
  for (i = 1; i <= length(digits); ++i) n = n * base + index("0123456789abcdef", tolower(substr(digits, i, 1))) - 1
  return n
}
function plain(text,    result, entity) {
  while (match(text, /&[^;&]*;/)) {
    entity = substr(text, RSTART + 1, RLENGTH - 2)
    result = result substr(text, 1, RSTART - 1)
    if (entity ~ /^#x/) result = result utf8(number(substr(entity, 3), 16))
    else if (entity ~ /^#/) result = result utf8(number(substr(entity, 2), 10))
    else result = result (entity in character ? character[entity] : "&" entity ";")
    text = substr(text, RSTART + RLENGTH)
  }
  result = result text
  gsub(/[\r\n]/, " ", result)
  return result
}
BEGIN {
  RS = "<"
  character["lt"] = "<"; character["gt"] = ">"; character["amp"] = "&"; character["quot"] = "\""; character["apos"] = "'"
}
{
  end = index($$0, ">")
  tag = substr($$0, 1, end - 1)
  name = tag
  sub(/[ \t\r\n\/].*/, "", name)
  if (substr(tag, 1, 1) == "/") name = "/" substr(tag, 2)
  if (name == "doc") {
    skip = tag ~ /[ \t\r\n]testsuite[ \t\r\n]*=/
    split("", text); split("", translated); split("", seen)
    count = 0
  } else if (name == "src" || name == "ref" || name == "hyp") {
    side = name
    who = attribute("translator")
    if (side == "ref" && !skip) { if (!(who in all)) names = names " " (who == "" ? "(nameless)" : who); all[who] }
  } else if (name == "/src" || name == "/ref" || name == "/hyp") {
    side = ""
  } else if (name == "seg" && !skip) {
    id = attribute("id") + 0
    content = plain(substr($$0, end + 1))
    if (side == "src" && !(id in seen)) { seen[id]; ids[++count] = id }
    if (side == "ref" && content != "") translated[id]
    if (side == want && (side == "src" || who == translator)) text[id] = content
  } else if (name == "/doc" && !skip) {
    for (i = 2; i <= count; ++i) {
      id = ids[i]
      for (j = i - 1; j > 0 && ids[j] > id; --j) ids[j + 1] = ids[j]
      ids[j + 1] = id
    }
    for (i = 1; i <= count; ++i) if (ids[i] in translated) print text[ids[i]]
  }
}
END {
  if (want == "src" || (translator in all)) exit
  print "there is no reference by " translator "; there are:" names > "/dev/stderr"
  exit 1
}
endef
export xml

# Writes one side of a set into the target.
extract = $(own_part) tar -xzOf $< --no-anchored '$(call member,$(1),$(2))' | \
          $(if $(filter %.xml,$(call member,$(1),$(2))),awk -v want=$(2) -v translator='$(call translator,$(1))' "$$xml",$(sgml)) | \
          $(clean) > $(part_of) && [ -s $(part_of) ] || \
          { echo "$(1): there is no $(PAIR)$(REF:%= by %) in it ($(call member,$(1),$(2)))" >&2; exit 1; }; mv $(part_of) $@

sources    = $(sets:%=$(OUT)/%.$(PAIR).src)
references = $(sets:%=$(OUT)/%.$(PAIR).$(ref))
archives   = $(sets:%=$(OUT)/archives/%.tgz)

$(sets): %: $(OUT)/%.$(PAIR).src $(OUT)/%.$(PAIR).$(ref)
	@[ $$(wc -l < $<) = $$(wc -l < $(word 2,$^)) ] || { echo "$^ differ in length" >&2; exit 1; }
	@wc -l $^ | sed '$$d'
$(sources): $(OUT)/%.$(PAIR).src: $(OUT)/archives/%.tgz
	@$(call extract,$*,src)
$(references): $(OUT)/%.$(PAIR).$(ref): $(OUT)/archives/%.tgz
	@$(call extract,$*,ref)
$(archives): $(OUT)/archives/%.tgz:
	mkdir -p $(@D)
	@$(own_part) $(call download,$(url_$*),$(part_of)); \
	echo "$(md5_$*)  $(part_of)" | md5sum -c --status - || \
	  { echo "$(url_$*): not the published file; if it is a newer one, set md5_$*=..." >&2; exit 1; }; \
	mv $(part_of) $@

.PHONY: $(sets)
