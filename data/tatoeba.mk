# German to English, the sentences of Tatoeba and their translations (tatoeba.org, CC BY 2.0): they are short and many are alike, so
# BLEU is high. The download grows weekly; scores are comparable only on the same files.
#
#   make tatoeba [DATA=folder]      DATA holds {train,dev,test}.{de,en}.gz; missing files are made from a download

NAME     = tatoeba
SOURCE   = de
TARGET   = en
GZ       = .gz
TRAIN    = $(DATA)/train
DEV      = $(DATA)/dev
TEST     = $(DATA)/test
SUBWORD  = --type bpe --vocab-size 10000
TRAINING = --preset small --tokens 4096 --warmup 4000 --max-updates 30000 --valid-every 1000 --save-every 500 --patience 10 \
           --keep-last 10
AVERAGE  = --last 10
SEARCH   = --beam 4
SCORE    =

include $(dir $(lastword $(MAKEFILE_LIST)))experiment.mk

server = https://downloads.tatoeba.org/exports/per_language
$(DATA)/deu_sentences.tsv.bz2 $(DATA)/deu-eng_links.tsv.bz2:
	$(call fetch,$(server)/deu/$(@F))
$(DATA)/eng_sentences.tsv.bz2:
	$(call fetch,$(server)/eng/$(@F))

# Takes the first translation of each German sentence. All pairs with the same English sentence go to the same part, chosen by a hash
# of that sentence's first number: 1/160 to dev, 1/160 to test.
$(DATA)/pairs.tsv: $(DATA)/deu_sentences.tsv.bz2 $(DATA)/eng_sentences.tsv.bz2 $(DATA)/deu-eng_links.tsv.bz2
	for f in $(^:.bz2=); do bunzip2 -c $$f.bz2 > $$f; done
	awk -F '\t' 'FILENAME == ARGV[1] { de[$$1] = $$3; next } FILENAME == ARGV[2] { en[$$1] = $$3; next } \
	  ($$1 in de) && ($$2 in en) && !(de[$$1] in used) { used[de[$$1]]; e = en[$$2]; if (!(e in first)) first[e] = $$2; \
	    r = first[e] * 48271 % 2147483647; part = r % 160; \
	    print (part == 0 ? "dev" : part == 1 ? "test" : "train") "\t" r "\t" de[$$1] "\t" e }' $(^:.bz2=) | sort -t '	' -k2,2n > $@.part
	rm $(^:.bz2=) && mv $@.part $@

$(DATA)/%.de.gz: | $(DATA)/pairs.tsv
	$(own_part) awk -F '\t' '$$1 == "$*" { print $$3 }' $(DATA)/pairs.tsv | gzip -n > $(part_of) && mv $(part_of) $@
$(DATA)/%.en.gz: | $(DATA)/pairs.tsv
	$(own_part) awk -F '\t' '$$1 == "$*" { print $$4 }' $(DATA)/pairs.tsv | gzip -n > $(part_of) && mv $(part_of) $@
