# English to Japanese, 50,000 short tokenised sentences of the Tanaka corpus (github.com/odashi/small_parallel_enja).
#
#   make enja [DATA=folder]         DATA holds {train,dev,test}.{en,ja}.gz; missing files are downloaded

NAME     = enja
SOURCE   = en
TARGET   = ja
GZ       = .gz
TRAIN    = $(DATA)/train
DEV      = $(DATA)/dev
TEST     = $(DATA)/test
SUBWORD  = --type bpe --vocab-size 8000 --normalisation nmt_nfkc
TRAINING = --preset tiny --dropout 0.3 --tokens 4096 --warmup 2000 --rate 0.005 --max-updates 12000 --valid-every 200 \
           --save-every 200 --patience 20 --keep-last 10 --tokenize none
AVERAGE  = --last 10
SEARCH   = --beam 5
SCORE    = --tokenize none

include $(dir $(lastword $(MAKEFILE_LIST)))experiment.mk

# On the server the training set is in five uncompressed parts.
server = https://raw.githubusercontent.com/odashi/small_parallel_enja/master
$(DATA)/train.%.gz:
	$(call fetch_gz,$(server)/train.$*.00[0-4])
$(DATA)/%.gz:
	$(call fetch_gz,$(server)/$*)
