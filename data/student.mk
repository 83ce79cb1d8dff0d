# From a parallel corpus to a small fast translator, by sequence-level distillation (Kim and Rush 2016), as those of browsers are made: a
# student learns what large models say of the text, which is easier to learn than what people wrote.
#
#   make -f data/student.mk     with, as needed,
#     [CORPUS=multi30k|enja|l10n|own|toy] [DATA=folder] [OUT=folder] [TEACHERS=n] [TEACHER_COMMAND=command] [MONO=file] [MONO_SOURCE=file] [CHOOSE=bleu|first] [WORST=x]
#     [GUIDED=x] [QUANTIZE=n] [BEST=n] [LEAST=x] [PARTS=n] [JOB=command] [THREADS=n], and the settings of programs:
#     CLEAN (tt-clean), SUBWORD (tt-bpe), TRAINING, TEACHER, STUDENT, MORE (tt-train: of all models, of some, and in addition), AVERAGE
#     (tt-average), SEARCH, FORWARD, BACK (tt-translate), SCORE (tt-bleu)
#
# The steps, each a target that goes on where it was stopped; what was made with other settings is made again:
#   text       pairs that tt-clean keeps, none of which has a line of the development or test set; a subword model with the piece <BT>
#   backward   a model of the other direction
#   back       MONO, files of lines of the target language, translated by it, sampled (Edunov et al. 2018); the source has the tag <BT>
#              before it (Caswell et al. 2019). Without MONO there is no such text. tt-clean takes out of it, and of MONO_SOURCE, by the
#              options MONO_CLEAN, what is no sentence of the language, lines of the development and test set, and those that come twice.
#   teacher-N  TEACHERS models, of seeds 1 to N, that learn the pairs and what was translated back
#   forward    the source of the pairs, and of MONO_SOURCE, translated by all teachers together with a beam of 8. CHOOSE=bleu takes that of
#              eight which is nearest to the reference by sentence BLEU, first the best by the teachers.
#              TEACHER_COMMAND, a filter of lines, as a program that asks another engine or a language model, is the teacher in place of
#              trained ones: it gets the source on its standard input, 200 lines at a time, and writes a line for each. Where it loses some,
#              which their number tells, it is asked again for less (data/line-for-line); a line without an answer is left out, which is
#              said. There are then no models teacher-N, and no text of MONO; links are those of the backward model.
#   filter     without the part WORST (0.05) that the backward model thinks least of, by token
#   links      which words of a line its translation's are of, by the attention of the first teacher
#   student    a model with a decoder of simpler recurrent units (SSRU) that learns what is left. With the weight GUIDED (0.05; none: no
#              links) a head of its attention learns the links; the last fifth of its updates, from QUANTIZE on (none: no update), is
#              computed with weights in eight bits, so that these cost nothing.
#   small      its mean in eight bits, and the shortlist of its text, of the BEST (100) pieces that each piece is translated by
# A teacher, or the backward model, that has less than LEAST (2) BLEU on the test set has nothing to teach, and make stops.
# tt-export writes the student, OUT/student/model.tt, for Marian, which reads the shortlist as it is.
# The table (OUT/table.tsv, table.svg) has the time that each step took when it was last made, all parts together, the size of files, and
# BLEU, chrF and source words per second on the test set, with one thread; of a language without spaces a line is a word. To be compared,
# words per second want an idle machine: make them alone, by rm OUT/rows/*; make -f data/student.mk ... -j1.
#
# back, forward and filter are made in PARTS (8) parts: make -j4 THREADS=1 translates four at a time. Their messages have the numbers of lines
# of back/lines and forward/lines. JOB is put before what takes long, as in JOB="srun -n 1 -c 8" with make -j 100, so that each part and
# training is a job step of Slurm.
#
# CORPUS=own is text of your own: DATA has train, dev and test in both languages of PAIR, as train.en or train.en.gz, and train.de for
# PAIR="en de". Its models are trained for 6,000 updates; TRAINING="..." QUANTIZE=n, TEACHER="..." and STUDENT="..." are for more text than
# some 100,000 pairs. BLEU of Japanese, Chinese and other languages without spaces is of characters, unless SCORE and TRAINING say how.
# CORPUS=toy is the embedded corpus in some minutes, with 2,000 lines of its target language as MONO. l10n is of TARGET, as data/l10n.mk has
# it. Of multi30k, enja and l10n the student is a tiny one: their teachers are.

NAME    = student
CORPUS ?= multi30k
here   := $(dir $(lastword $(MAKEFILE_LIST)))
$(if $(filter multi30k enja l10n own toy,$(CORPUS)),,$(error there is no corpus $(CORPUS); there are multi30k, enja, l10n, own and toy))
$(if $(filter own,$(CORPUS)),$(if $(filter 2,$(words $(PAIR))),,$(error PAIR is "$(PAIR)"; CORPUS=own needs two languages, as in PAIR="en de")))
$(if $(filter toy,$(CORPUS)),$(if $(filter command environment,$(origin DATA)),$(error DATA is for a corpus that is there; the corpus toy is made in OUT. Omit DATA, or say CORPUS=own)))
TARGET ?= de
OUT    ?= build/student-$(CORPUS)$(if $(filter l10n,$(CORPUS)),-$(TARGET))
DATA   ?= $(if $(filter toy,$(CORPUS)),$(OUT)/corpus,build/$(CORPUS)$(if $(filter l10n,$(CORPUS)),/$(TARGET))/corpus)
include $(here)common.mk

CHOOSE   ?= bleu
WORST    ?= 0.05
BEST     ?= 100
TEACHERS ?= 2
GUIDED   ?= 0.05
LEAST    ?= 2
PARTS    ?= 8
AVERAGE   = --last 10
BACK      = --sample
FORWARD   = --beam 8 --n-best 8
# With 6 + 2 layers of width 256.
STUDENT  ?= --preset small --encoder-layers 6 --decoder-layers 2 --d-ff 1536
ifeq ($(CORPUS),multi30k)
pair       = en de
names      = train.lc.norm.tok val.lc.norm.tok test_2016_flickr.lc.norm.tok
SUBWORD    = --type bpe --vocab-size 10000 --coverage 1
TRAINING   = --tokens 4096 --accumulate 2 --warmup 1000 --rate 0.005 --schedule linear --max-updates 4500 --weight-decay 0.1 \
             --valid-every 500 --save-every 50 --keep-last 10 --tokenize none
QUANTIZE  ?= 3600
TEACHER    = --preset tiny --attention-bias --dropout 0.3
STUDENT    = --preset tiny --decoder-layers 1 --dropout 0.1
SEARCH     = --beam 5 --alpha 1
SCORE      = --tokenize none
CLEAN      = --languages en,de
else ifeq ($(CORPUS),enja)
pair       = en ja
names      = train dev test
SUBWORD    = --type bpe --vocab-size 8000 --normalisation nmt_nfkc
TRAINING   = --tokens 4096 --warmup 2000 --rate 0.005 --schedule linear --max-updates 8000 --valid-every 500 --save-every 100 \
             --keep-last 10 --tokenize none
QUANTIZE  ?= 6400
TEACHER    = --preset tiny --dropout 0.3
STUDENT    = --preset tiny --decoder-layers 1 --dropout 0.1
SEARCH     = --beam 5
SCORE      = --tokenize none
CLEAN      = --languages en,ja
else ifeq ($(CORPUS),l10n)
pair       = en $(TARGET)
names      = train dev test
SUBWORD    = --type bpe --vocab-size 10000 --coverage 1
TRAINING   = --tokens 4096 --warmup 1000 --rate 0.0035 --schedule wsd --cooldown 0.3 --max-updates 4000 --weight-decay 0.1 \
             --valid-every 1000 --save-every 40 --keep-last 10
QUANTIZE  ?= 3200
TEACHER    = --preset tiny --dropout 0.2
STUDENT    = --preset tiny --decoder-layers 1 --dropout 0.1
SEARCH     = --beam 5
validation = $(call characters,$(1))
CLEAN      = --languages en,$(TARGET) --identical 3
else ifeq ($(CORPUS),own)
pair       = $(PAIR)
names      = train dev test
SUBWORD    = --type bpe --vocab-size 10000
TRAINING   = --tokens 4096 --accumulate 2 --warmup 1000 --rate 0.002 --schedule linear --max-updates 6000 --valid-every 500 \
             --save-every 100 --keep-last 10
QUANTIZE  ?= 4800
TEACHER    = --preset small --dropout 0.3
SEARCH     = --beam 5
validation = $(call characters,$(1))
CLEAN      = --languages $(firstword $(pair)),$(lastword $(pair))
GZ         =
else
pair       = en ja
names      = train dev test
GZ         =
SUBWORD    = --type bpe --vocab-size 600 --coverage 1
TRAINING   = --dropout 0 --tokens 1024 --warmup 100 --rate 0.004 --schedule linear --max-updates 500 --valid-every 0 --save-every 10 \
             --keep-last 4 --tokenize char
QUANTIZE  ?= 400
TEACHER    = --preset tiny --encoder-layers 2 --decoder-layers 2
STUDENT    = --preset tiny --encoder-layers 2 --decoder-layers 1 --d-model 64 --d-ff 128
AVERAGE    = --last 4
SEARCH     = --beam 4
SCORE      = --tokenize char
CLEAN      = --languages en,ja --ratio off
SIZES      = --train 2000 --dev 100 --test 200
MONO       = $(DATA)/mono
PARTS      = 2
endif
GZ ?= .gz

# What text of a language is scored by.
scored_by = $(or $(strip $(SCORE)),$(call validation,$(1)))

# With what Marian has fixed, so that tt-export can write it for Marian.
SSRU     = --decoder-self ssru --start zero --position-layout tensor2tensor --norm-epsilon 1e-6
AS_STUDENT = $(STUDENT) $(SSRU) $(GUIDED:%=--guided-alignment-weight %) $(QUANTIZE:%=--quantize-from %)
links    = $(GUIDED:%=$(text)/student.links)
s       := $(firstword $(pair))
t       := $(lastword $(pair))
text     = $(OUT)/text
both     = $(1).$(s) $(1).$(t)
side     = $(or $(if $(filter own,$(CORPUS)),$(wildcard $(DATA)/$(word $(1),$(names)).$(2).gz)),$(DATA)/$(word $(1),$(names)).$(2)$(GZ))
$(call number,PARTS)$(call number,TEACHERS)$(call number,THREADS)$(call number,BEST)$(call part,WORST)
$(if $(shell [[ '$(LEAST)' =~ ^[0-9]+(\.[0-9]+)?$$ ]] && echo yes),,$(error LEAST is "$(LEAST)"; give BLEU, as in 2, or 0))
$(foreach f,$(if $(filter command environment,$(origin MONO)),$(MONO)) $(MONO_SOURCE),$(if $(wildcard $(f)),,$(error There is no file $(f))))
parts   := $(shell seq -f %03g 1 $(PARTS))
parts_of = $(parts:%=$(OUT)/$(1).%)
# One that is not trained.
asked    := $(if $(strip $(value TEACHER_COMMAND)),yes)
ifdef asked
$(if $(filter command environment,$(origin MONO)),$(error MONO is text for teachers that are trained, and TEACHER_COMMAND takes their place; omit one of them))
MONO      =
endif
teachers := $(if $(asked),,$(shell seq -f teacher-%g 1 $(TEACHERS)))
learned  := $(patsubst %,$(OUT)/%/learned,backward $(teachers))
$(if $(filter bleu first,$(CHOOSE)),,$(error CHOOSE is "$(CHOOSE)"; it may be bleu, or first))

student: $(OUT)/table.tsv $(OUT)/table.svg
	@cat $<

# Of a step ($(1)) each file, once made, has the seconds that this took beside those of the step's others.
timed = mkdir -p $(@D) $(OUT)/seconds/$(1); began=$$EPOCHREALTIME; \
        finish() { [ $$? != 0 ] || awk -v a=$$began -v b=$$EPOCHREALTIME 'BEGIN { printf "%.2f\n", b - a }' > $(OUT)/seconds/$(1)/$(@F); \
                   rm -f $(part_of) $(part_of).*; }; trap finish EXIT;
# Status 3: something could not be read as it is, which stderr says.
or_degraded = || [ $$? = 3 ]

# ---- Text

$(foreach l,$(s) $(t),$(foreach n,2 3,$(eval $(text)/$(word $(n),- dev test).$(l): $(call side,$(n),$(l)))))
$(foreach l,$(s) $(t),$(text)/dev.$(l) $(text)/test.$(l)):
	$(own_part) mkdir -p $(@D); gzip -dcf < $< > $(part_of) && mv $(part_of) $@
$(call both,$(text)/dev) $(call both,$(text)/test): $(OUT)/data.flags
held_out = $(call both,$(text)/dev) $(call both,$(text)/test)
$(text)/cleaned: $(call side,1,$(s)) $(call side,1,$(t)) $(held_out) $(OUT)/data.flags $(OUT)/clean.flags
	$(call timed,text) $(foreach model,TEACHER AS_STUDENT,$(BIN)/tt-train $(TRAINING) $(MORE) $($(model)) --print-config > /dev/null; )\
	  $(BIN)/tt-clean $(CLEAN) $(held_out:%=--held-out %) --dropped $(text)/dropped.tsv \
	  -o $(text)/train.$(s) -o $(text)/train.$(t) $(call side,1,$(s)) $(call side,1,$(t)) $(or_degraded); touch $@
$(call both,$(text)/train): $(text)/cleaned ;
$(OUT)/subword.model: $(text)/cleaned $(OUT)/subword.flags
	$(call timed,text) $(BIN)/tt-bpe train -q $(SUBWORD) --user-symbols '<BT>' -o $@ $(call both,$(text)/train) $(or_degraded)

# ---- Models. Each is an experiment in a folder of its own ($(1)), of languages $(2) and $(3), that learns the text $(4), with more options
# ($(5)). Its log has the seconds.

model = $(JOB) $(MAKE) --no-print-directory -f $(here)experiment.mk $(OUT)/$(1)/score NAME=$(1) OUT=$(OUT)/$(1) \
        SUBWORD_MODEL=$(OUT)/subword.model GZ= SOURCE=$(2) TARGET=$(3) TRAIN=$(4) DEV=$(text)/dev TEST=$(text)/test BIN=$(BIN) \
        ANEW=yes DATA=$(text) TRAINING='$(TRAINING) $(call validation,$(3)) $(MORE) $(5)' AVERAGE='$(AVERAGE)' SEARCH='$(SEARCH)' SCORE='$(call scored_by,$(3))' THREADS=$(THREADS)
$(OUT)/backward/score: $(OUT)/subword.model $(call both,$(text)/train) FORCE
	+$(call model,backward,$(t),$(s),$(text)/train,$(TEACHER))
$(OUT)/teacher-%/score: $(OUT)/subword.model $(call both,$(text)/teacher) FORCE
	+$(call model,teacher-$*,$(s),$(t),$(text)/teacher,$(TEACHER) --seed $*)
$(OUT)/student/score: $(OUT)/subword.model $(call both,$(text)/student) $(links) FORCE
	+$(call model,student,$(s),$(t),$(text)/student,$(AS_STUDENT) $(links:%=--guided-alignment %))
$(OUT)/%/model.tt: $(OUT)/%/score ;
.PHONY: $(learned)
$(learned): $(OUT)/%/learned: $(OUT)/%/score
	@bleu=$$(sed -nE 's/^BLEU[^ ]* = ([0-9.]+) .*/\1/p' $<); [ -z "$$bleu" ] || awk -v bleu=$$bleu 'BEGIN { exit bleu < $(LEAST) }' || \
	  { echo "$(@D)/model.tt has $$bleu BLEU on the test set, and LEAST is $(LEAST): it has learned nothing to teach. Give TRAINING with a lower --rate," \
	    "a longer --warmup or more updates, or LEAST=0 to go on" >&2; exit 1; }

# ---- Back-translation

# Lines ($<) in as many parts as PARTS, of which the last may be empty.
cut = mkdir -p $(@D); rm -rf $(@D)/in.* $(1:%=$(OUT)/seconds/%); lines=$$(wc -l < $<); awk -v each=$$(( (lines + $(PARTS) - 1) / $(PARTS) )) -v to=$(@D)/in. \
      '{ print > sprintf("%s%03d", to, 1 + int((NR - 1) / each)) }' $<; touch $(call parts_of,$(notdir $(@D))/in)
first_line = $$((1 + $$(cat $(filter-out $(@D)/in.$*,$(wordlist 1,$(shell expr $* + 0),$(call parts_of,$(notdir $(@D))/in))) /dev/null | wc -l)))
# Text of one language ($(2)) in files ($(1)), each of which tt-clean reads as both sides of pairs, and then, for lines of several, all.
comma      := ,
MONO_CLEAN ?= $(if $(findstring --languages,$(CLEAN)),--languages $(2)$(comma)$(2)) --identical off
sides = -o $(part_of).1 -o $(part_of).2
alone = $(own_part) mkdir -p $(@D); : > $(part_of).all; for file in $(1); do \
          $(BIN)/tt-clean $(MONO_CLEAN) $(held_out:%=--held-out %) $(sides) $$file $$file $(or_degraded); cat $(part_of).1 >> $(part_of).all; done; \
        $(BIN)/tt-clean --only duplicates $(sides) $(part_of).all $(part_of).all $(or_degraded); mv $(part_of).1 $@
$(OUT)/back/lines: $(MONO) $(held_out) $(OUT)/mono.flags
	$(call alone,$(MONO),$(t))
$(text)/more.$(s): $(MONO_SOURCE) $(held_out) $(OUT)/mono.flags
	$(call alone,$(MONO_SOURCE),$(s))
$(OUT)/back/cut: $(OUT)/back/lines $(OUT)/parts.flags
	$(call cut,back) $@
$(OUT)/back/out.%: $(OUT)/back/cut $(OUT)/backward/model.tt $(OUT)/back.flags | $(OUT)/backward/learned
	$(call timed,back) $(JOB) $(BIN)/tt-translate -q -m $(OUT)/backward/model.tt $(BACK) --first-line $(first_line) --threads $(THREADS) \
	  $(@D)/in.$* > $(part_of) $(or_degraded); mv $(part_of) $@
translated_back = $(if $(strip $(MONO)),$(call parts_of,back/out))
$(text)/teacher.$(s): $(text)/cleaned $(translated_back) $(OUT)/mono.flags
	$(own_part) { cat $(text)/train.$(s); cat $(translated_back) /dev/null | sed 's/^/<BT> /'; } > $(part_of); mv $(part_of) $@
$(text)/teacher.$(t): $(text)/cleaned $(translated_back) $(OUT)/mono.flags
	$(own_part) cat $(text)/train.$(t) $(if $(strip $(MONO)),$(OUT)/back/lines) > $(part_of); mv $(part_of) $@

# ---- Forward translation, of pairs: source TAB reference, which is empty where there is none.

$(OUT)/forward/lines: $(text)/cleaned $(text)/more.$(s)
	$(own_part) mkdir -p $(@D); { paste <(tr '\t' ' ' < $(text)/train.$(s)) <(tr '\t' ' ' < $(text)/train.$(t)); \
	  tr '\t' ' ' < $(text)/more.$(s) | sed 's/$$/\t/'; } > $(part_of); mv $(part_of) $@
$(OUT)/forward/cut: $(OUT)/forward/lines $(OUT)/parts.flags
	$(call cut,forward filter links) $@
$(OUT)/forward/list.%: $(OUT)/forward/cut $(teachers:%=$(OUT)/%/model.tt) $(OUT)/forward.flags | $(teachers:%=$(OUT)/%/learned)
	$(call timed,forward) cut -f 1 $(@D)/in.$* | $(JOB) $(BIN)/tt-translate -q $(teachers:%=-m $(OUT)/%/model.tt) $(FORWARD) \
	  --first-line $(first_line) --threads $(THREADS) \
	  > $(part_of) $(or_degraded); mv $(part_of) $@
ifdef asked
$(OUT)/forward/out.%: $(OUT)/forward/cut $(OUT)/command.flags
	$(call timed,forward) cut -f 1 $(@D)/in.$* | $(JOB) $(here)line-for-line $(first_line) $(call quoted,$(value TEACHER_COMMAND)) \
	  > $(part_of) $(or_degraded); mv $(part_of) $@
else
# Of each line's list the translation nearest to the reference; of equals the first, and where there is no reference.
$(OUT)/forward/out.%: $(OUT)/forward/list.% $(OUT)/choose.flags
	$(call timed,forward) awk -v first=$(first_line) -v text=$(part_of).text -v references=$(part_of).references ' \
	    NR == FNR { split($$0, pair, "\t"); reference[FNR - 1] = pair[2]; next } \
	    { n = $$0; sub(/ \|\|\| .*/, "", n); n -= first - 1; sub(/^[0-9]+ \|\|\| /, ""); sub(/ \|\|\| LogProb= *[^|]* \|\|\| [^|]*$$/, ""); \
	      print > text; print reference[n] > references; print n "\t" (reference[n] != "") }' $(@D)/in.$* $< > $(part_of).numbers; \
	  touch $(part_of).text $(part_of).references; \
	  if [ $(CHOOSE) = bleu ] && [ -s $(part_of).text ]; then $(BIN)/tt-bleu -q -b -w 6 --sentence $(call scored_by,$(t)) $(part_of).references -i $(part_of).text; \
	    else sed 's/.*/0/' $(part_of).text; fi > $(part_of).scores $(or_degraded); \
	  paste $(part_of).numbers $(part_of).scores $(part_of).text | awk -F '\t' ' \
	    !($$1 in best) || ($$2 && $$3 > most[$$1]) { best[$$1] = $$4; most[$$1] = $$3 } { last = $$1 } \
	    END { if (NR) for (n = 0; n <= last; ++n) print best[n] }' > $(part_of); \
	  [ $$(wc -l < $(part_of)) = $$(wc -l < $(@D)/in.$*) ] || { echo "$<: has not a list for each line of $(@D)/in.$*" >&2; exit 1; }; \
	  mv $(part_of) $@
endif
$(OUT)/forward/likely.%: $(OUT)/forward/out.% $(OUT)/backward/model.tt | $(OUT)/backward/learned
	$(call timed,filter) cut -f 1 $(@D)/in.$* > $(part_of).source; $(JOB) $(BIN)/tt-translate -q -m $(OUT)/backward/model.tt \
	  --score $(part_of).source --length-penalty length --alpha 1 --threads $(THREADS) $< > $(part_of) $(or_degraded); mv $(part_of) $@

# Of the backward model they are those from the translation to the source, and turned round.
aligner = $(if $(asked),backward,teacher-1)
turned  = $(if $(asked),| awk '{ for (i = 1; i <= NF; ++i) { split($$i, link, "-"); $$i = link[2] "-" link[1] } print }')
$(OUT)/forward/links.%: $(OUT)/forward/out.% $(OUT)/$(aligner)/model.tt
	$(call timed,links) cut -f 1 $(@D)/in.$* > $(part_of).source; $(JOB) $(BIN)/tt-translate -q -m $(OUT)/$(aligner)/model.tt \
	  $(if $(asked),--score $(part_of).source $<,--score $< $(part_of).source) --alignment hard --threads $(THREADS) \
	  > $(part_of).scored $(or_degraded); cut -f 2 $(part_of).scored $(turned) > $(part_of); mv $(part_of) $@

# ---- What the student learns: without the least likely lines.

forward_parts = $(call parts_of,forward/out) $(call parts_of,forward/likely)
# The number of each line that is kept, line and translation.
$(OUT)/forward/kept: $(forward_parts) $(OUT)/worst.flags
	$(own_part) paste <(cat $(call parts_of,forward/likely)) <(cut -f 1 $(OUT)/forward/lines) <(cat $(call parts_of,forward/out)) | \
	  awk -F '\t' '$(if $(asked),$$3 != "") { print NR "\t" $$0 }' > $(part_of).all; sort -t '	' -k 2,2g -k 1,1n $(part_of).all | \
	  tail -n +$$(awk -v worst=$(WORST) 'END { print 1 + int(NR * worst) }' $(part_of).all) | sort -n | cut -f 1,3,4 > $(part_of); \
	  rm $(part_of).all; mv $(part_of) $@
$(text)/student.$(s): $(OUT)/forward/kept
	$(own_part) cut -f 2 $< > $(part_of) && mv $(part_of) $@
$(text)/student.$(t): $(OUT)/forward/kept
	$(own_part) cut -f 3 $< > $(part_of) && mv $(part_of) $@
$(text)/student.links: $(OUT)/forward/kept $(call parts_of,forward/links)
	$(own_part) awk 'NR == FNR { kept[$$1]; next } ++n in kept' <(cut -f 1 $<) <(cat $(call parts_of,forward/links)) > $(part_of); mv $(part_of) $@

# ---- The translator

$(OUT)/small.tt: $(OUT)/student/model.tt
	$(call timed,small) $(BIN)/tt-average -q --int8 $(AVERAGE) -o $@ $(OUT)/student/run
$(OUT)/lex.s2t.bin: $(OUT)/small.tt $(call both,$(text)/student) $(OUT)/lex.flags
	$(call timed,small) $(BIN)/tt-shortlist train -q -m $< --best $(BEST) -o $@ $(call both,$(text)/student) $(or_degraded)

# ---- The table. A row of $(1): its steps, whose time it is; $(2): models and options; $(3), $(4): languages; $(5): files that it needs.

seconds = $$({ $(foreach step,$(1),cat $(OUT)/seconds/$(step)/* || sed -n 's/.*"event":"end".*"wall":\([0-9.]*\).*/\1/p' $(OUT)/$(step)/log.jsonl | tail -n 1 || :;) } \
               2> /dev/null | awk '{ sum += $$1 } END { printf "%.0f", sum }')
measure = $(own_part) mkdir -p $(@D); began=$$EPOCHREALTIME; \
          $(BIN)/tt-translate -q $(2) $(SEARCH) --threads 1 $(text)/test.$(3) > $(part_of).out $(or_degraded); \
          wall=$$(awk -v a=$$began -v b=$$EPOCHREALTIME 'BEGIN { print b - a }'); \
          score() { $(BIN)/tt-bleu -q -b -w 2 --force "$$@" $(text)/test.$(4) -i $(part_of).out $(or_degraded); }; \
          printf '%s\t%s\t%.1f\t%s\t%s\t%.0f\n' $(@F) $(call seconds,$(1)) \
            $$(cat $(5) | wc -c | awk '{ print $$1 / 1e6 }') $$(score $(call scored_by,$(4))) $$(score -m chrf) \
            $$(LC_ALL=C.UTF-8 wc -w < $(text)/test.$(3) | awk -v wall=$$wall '{ print $$1 / wall }') > $(part_of); rm $(part_of).out; mv $(part_of) $@
step    = $(own_part) mkdir -p $(@D); printf '%s\t%s\t%.1f\t-\t-\t-\n' $(@F) $(call seconds,$(@F)) \
            $$(cat $(1) /dev/null | wc -c | awk '{ print $$1 / 1e6 }') > $(part_of); mv $(part_of) $@
rows    = text backward $(if $(strip $(MONO)),back) $(teachers) $(if $(word 2,$(teachers)),teachers) forward filter $(GUIDED:%=links) student small shortlist
models_of_teachers = $(teachers:%=$(OUT)/%/model.tt)

$(OUT)/rows/text: $(OUT)/subword.model
	$(call step,$(call both,$(text)/train))
$(OUT)/rows/back: $(text)/teacher.$(s)
	$(call step,$(translated_back))
$(OUT)/rows/forward: $(call parts_of,forward/out)
	$(call step,$(call parts_of,forward/out))
$(OUT)/rows/filter: $(OUT)/forward/kept
	$(call step,$<)
$(OUT)/rows/links: $(text)/student.links
	$(call step,$<)
$(OUT)/rows/backward: $(OUT)/backward/model.tt $(held_out) $(OUT)/search.flags $(OUT)/score.flags
	$(call measure,backward,-m $<,$(t),$(s),$<)
$(OUT)/rows/student $(teachers:%=$(OUT)/rows/%): $(OUT)/rows/%: $(OUT)/%/model.tt $(held_out) $(OUT)/search.flags $(OUT)/score.flags
	$(call measure,$*,-m $<,$(s),$(t),$<)
$(OUT)/rows/teachers: $(models_of_teachers) $(held_out) $(OUT)/search.flags $(OUT)/score.flags
	$(call measure,$(teachers),$(models_of_teachers:%=-m %),$(s),$(t),$(models_of_teachers))
$(OUT)/rows/small: $(OUT)/small.tt $(held_out) $(OUT)/search.flags $(OUT)/score.flags
	$(call measure,small,-m $<,$(s),$(t),$<)
$(OUT)/rows/shortlist: $(OUT)/small.tt $(OUT)/lex.s2t.bin $(held_out) $(OUT)/search.flags $(OUT)/score.flags
	$(call measure,small,-m $< --shortlist $(word 2,$^),$(s),$(t),$< $(word 2,$^))
$(OUT)/table.tsv: $(rows:%=$(OUT)/rows/%) $(OUT)/rows.flags
	$(own_part) { printf 'step\tseconds\tMB\tBLEU\tchrF\twords/s\n'; cat $(filter-out %.flags,$^); } > $(part_of); mv $(part_of) $@
$(OUT)/table.svg: $(OUT)/table.tsv
	$(BIN)/tt-table-plot -q --log-y --title "From text to a small translator: $(CORPUS)" -o $@ $<

# ---- The corpora's files, and what was made with other settings.

corpus = $(foreach n,1 2 3,$(foreach l,$(s) $(t),$(call side,$(n),$(l))))
ifeq ($(CORPUS),toy)
$(corpus) &: $(OUT)/data.flags
	$(BIN)/toy -q $(SIZES) $(DATA)
# Other sentences, of which those of the corpus are left out.
$(DATA)/mono: $(foreach n,1 2 3,$(call side,$(n),$(t)))
	$(own_part) $(BIN)/toy -q --seed 2 --train 3000 --dev 1 --test 1 $(DATA)/more; \
	  awk 'NR == FNR { known[$$0]; next } !($$0 in known) && ++n <= 2000' <(cat $^) $(DATA)/more/train.$(t) > $(part_of) && mv $(part_of) $@
else ifneq ($(CORPUS),own)
$(corpus) &:
	+$(MAKE) -f $(here)$(CORPUS).mk BIN=$(BIN) DATA=$(DATA) TARGET=$(t) $(corpus)
endif
settings_data    = $(CORPUS) $(DATA) $(SIZES)
settings_clean   = $(CLEAN)
settings_subword = $(SUBWORD)
settings_mono    = $(MONO) : $(MONO_SOURCE) : $(MONO_CLEAN)
settings_parts   = $(PARTS)
settings_back    = $(BACK)
settings_forward = $(FORWARD) $(teachers)
settings_command = $(value TEACHER_COMMAND)
settings_choose  = $(CHOOSE) $(call scored_by,$(t))
settings_worst   = $(WORST)
settings_lex     = $(BEST)
settings_search  = $(SEARCH)
settings_score   = $(call scored_by,$(s)) : $(call scored_by,$(t))
settings_rows    = $(rows)
$(patsubst settings_%,$(OUT)/%.flags,$(filter settings_%,$(.VARIABLES))): $(OUT)/%.flags: FORCE
	$(call settings,$(settings_$*))
.PHONY: student
