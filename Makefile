# tt: neural machine translation as small programs.
#
#   make deps            install missing Debian packages
#   make                 build the programs in build/$(MODE)/;  V=1 shows the commands
#   make demo            train a translator on the embedded corpus and show some translations
#   make multi30k        run the experiment of data/multi30k.mk; also enja, tatoeba, wmt14, l10n; DATA=folder: where the corpus is
#   make serve           answer programs that know LibreTranslate's interface, by lighttpd: MODELS=folder PORT=5000
#   make test            run all tests;  make bench: all benchmarks;  make fuzz: fuzz the parsers of user files
#   make -j4 check       the tests of all variants, the fuzzers, lint, portable and Debian, and a list;  make lint: clang-tidy
#   make format          clang-format
#   make check-documents documents of Debian's packages, as lines and back; needs translate-toolkit, gettext, libxml2-utils
#   make check-cuda      on a machine with an NVIDIA GPU: run the tests on it and compare with the CPU
#   make cuda-archive    build/tt-cuda.tgz: what check-cuda runs, for a machine on which nothing can be installed
#   make check-debian    the README's commands in a fresh Debian, as root: RELEASE=trixie ARCHITECTURE=arm64 ROOT=folder
#   make portable        an archive and a wheel that run on any Linux
#   make install         PREFIX=/usr/local DESTDIR=;  make uninstall: undo it;  make deb: build a Debian package
#   make dist            build/tt-VERSION.tar.gz: the sources of the commit, which need no git
#
# Variables choose variants: MODE=release|debug|asan|tsan, CXX=g++|clang++, ARCH=native|x86-64-v3|...
# CUDA=1 builds for the NVIDIA GPUs listed in GPU_ARCH, with nvcc; CUDA=emulated: an emulated GPU for tests (slow); MPI=1 for several machines
# PLOT=0 leaves out the programs that draw, which alone need Cairo and Pango

MODE       = release
ARCH       = native
CXX        = g++
PKG_CONFIG = pkg-config
VERSION    = 0.1.0
PREFIX     = /usr/local
$(if $(filter-out release debug asan tsan fuzz,$(MODE)),$(error MODE is release, debug, asan or tsan))
# CUDA=0 is the same as not set, and so is MPI=0.
override CUDA := $(filter-out 0,$(CUDA))
override MPI  := $(filter-out 0,$(MPI))
PLOT = 1
override PLOT := $(filter-out 0,$(PLOT))
$(if $(filter-out 1 emulated,$(CUDA)),$(error CUDA is 0, 1 or emulated))
BUILD      = build/$(MODE)$(if $(CUDA),-cuda)$(if $(filter emulated,$(CUDA)),-emulated)$(if $(MPI),-mpi)
# An absolute path of the same folder is made relative, so that dependency files always name the same targets.
override BUILD := $(patsubst $(CURDIR)/%,%,$(BUILD))

# Each module is queried on its own: with a missing one in the list, pkg-config would print no flags at all.
pkg = $(foreach m,$(2),$(shell $(PKG_CONFIG) $(1) $(m) 2>/dev/null))
PIECES  := $(shell $(PKG_CONFIG) --variable=includedir sentencepiece 2>/dev/null)/sentencepiece_processor.h
ABSEIL  := $(if $(shell grep -s absl/status/ $(PIECES)),absl_status absl_log_initialize absl_log_sink_registry absl_log_globals)
MODULES := openblas sentencepiece $(ABSEIL) nlohmann_json zlib liblzma libzstd icu-uc icu-i18n libxml-2.0 yaml-cpp md4c CLI11 $(if $(MPI),ompi-c)
DRAWING := $(if $(PLOT),cairo pangocairo)
MECAB   := $(if $(wildcard /usr/include/mecab.h),-lmecab)
CLD2    := $(if $(wildcard /usr/include/cld2/public/compact_lang_det.h),-lcld2)

# g++ 12 falsely warns of overlapping copies inside std::string (its bug 105329) and, with sanitizers, of uninitialised members
# inside std::regex.
# 32-byte vectors (cpu/vec.h) are not passed between separate builds, so their ABI on processors without AVX does not matter.
QUIET = $(if $(findstring clang,$(CXX)),,-Wno-restrict -Wno-maybe-uninitialized -Wno-psabi)

FLAGS_release = -O2 -DNDEBUG
FLAGS_debug   = -O1 -g
FLAGS_asan    = -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
FLAGS_tsan    = -O2 -g -fsanitize=thread
FLAGS_fuzz    = $(FLAGS_asan) -fsanitize=fuzzer-no-link

CXXFLAGS = -std=c++20 -Wall -Wextra -Werror $(QUIET) -march=$(ARCH) -fno-math-errno -fno-trapping-math -ffp-contract=off \
           $(FLAGS_$(MODE)) -pthread
CPPFLAGS := -Ilib -I. $(patsubst -I%,-isystem %,$(sort $(call pkg,--cflags,$(filter-out libxml-2.0,$(MODULES)) $(DRAWING)))) $(if $(MECAB),-DTT_MECAB) $(if $(MPI),-DTT_MPI)
LDFLAGS  = -Wl,--as-needed
LDLIBS  := $(call pkg,--libs,$(MODULES)) $(MECAB) $(CLD2)
# Of a clone git tells the commit; in the sources of "make dist" packaging/commit has it.
COMMIT  := $(if $(wildcard .git),$(shell git describe --always --dirty --exclude "*" 2>/dev/null),$(shell grep -v Format packaging/commit))

SOURCES := $(filter-out lib/plot/%,$(sort $(wildcard lib/*/*.cc)))
PICTURE := $(if $(PLOT),$(sort $(wildcard lib/plot/*.cc)))
PLOTS   := $(basename $(notdir $(sort $(wildcard tools/tt-*-plot.cc))))
TOOLS   := $(filter-out $(if $(PLOT),,$(PLOTS)),$(basename $(notdir $(sort $(wildcard tools/tt-*.cc)))))
SHARED  := $(filter-out tools/tt-%,$(sort $(wildcard tools/*.cc)))
FUZZERS := $(basename $(notdir $(sort $(wildcard tests/fuzz/*.cc))))
object   = $(patsubst %.cc,$(BUILD)/%.o,$(1))
# One short line for each file; "make -s" prints none.
SILENT := $(findstring s,$(firstword -$(MAKEFLAGS)))
step    = $(if $(V),,@$(if $(SILENT),,echo '  $(1) $(2)' && ))
define compile
@mkdir -p $(@D)
$(call step,CXX ,$(1))$(CXX) $(CPPFLAGS) $(CXXFLAGS) -MMD -MP -c $< -o $@
@[ '$(NOTE_flags)' = "$$(cat $(BUILD)/flags)" ] || { rm -f $@; echo "$(BUILD): another make builds here with other flags; repeat the command when it has ended, or give another BUILD" >&2; exit 1; }
endef
link    = $(call step,LINK,$@)$(CXX) $(CXXFLAGS) $(LDFLAGS) $^ $(LDLIBS) $(1) -o $@
MAKEFLAGS += --no-print-directory
# In a separate make, so that packages just installed by `deps` are found; on all processors unless the caller gives -j.
build   = $(MAKE) $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

# The first rule, which "make" alone is for.
all: $(TOOLS:%=$(BUILD)/%) $(BUILD)/toy $(BUILD)/complexity $(if $(PLOT),,without-plots)
without-plots:
	@echo 'Without Cairo and Pango (PLOT=0) these are not built: $(PLOTS)'

include lib/cuda/cuda.mk

# Pages that programs write: their texts, and the functions that they show, as strings.
define page
$(BUILD)/$(1)-page.cc: packaging/embed $(wildcard lib/$(1)/page/* packaging/page/*) $(shell cut -d' ' -f2 lib/$(1)/page/code.txt 2>/dev/null)
	@mkdir -p $$(@D)
	$$(call step,PAGE,$$@)packaging/embed lib/$(1)/page >$$@.new && mv $$@.new $$@
endef
$(foreach p,trace plot,$(eval $(call page,$(p))))
$(BUILD)/%-page.o: $(BUILD)/%-page.cc $(BUILD)/flags | libraries
	$(call compile,$@)
# The library as others link it: all rooms but lib/plot, which needs Cairo, and the page of traces, which is large.
$(BUILD)/libtt.a: $(call object,$(filter-out lib/trace/page.cc,$(SOURCES))) $(GPU)
	$(call archive,$^)
$(BUILD)/libtt-trace.a: $(call object,lib/trace/page.cc) $(BUILD)/trace-page.o
	$(call archive,$^)
$(BUILD)/libtt-plot.a: $(call object,$(PICTURE)) $(BUILD)/plot-page.o
	$(call archive,$^)
PLOT_LIB = $(if $(PLOT),$(BUILD)/libtt-plot.a)
# The programs here link the rooms that they need, so that to build one does not take all of the library.
archive = $(call step,AR  ,$@)mkdir -p $(@D) && rm -f $@ && $(AR) rcs $@ $(1)
define room
$(BUILD)/rooms/$(1).a: $(call object,$(sort $(wildcard lib/$(1)/*.cc))) $(if $(wildcard lib/$(1)/page),$(BUILD)/$(1)-page.o) $(if $(filter cuda,$(1)),$(GPU))
	$$(call archive,$$^)
endef
$(foreach r,$(filter-out $(if $(GPU),,cuda),$(sort $(notdir $(patsubst %/,%,$(dir $(wildcard lib/*/*.h)))))),$(eval $(call room,$(r))))
$(BUILD)/rooms/tools.a: $(call object,$(SHARED))
	$(call archive,$^)
LINKED  := $(shell packaging/rooms)
comma   := ,
linked   = $(subst $(comma), ,$(patsubst $(1):%,%,$(filter $(1):%,$(LINKED))))
rooms    = $(BUILD)/rooms/tools.a $(patsubst %,$(BUILD)/rooms/%.a,$(filter-out $(if $(GPU),,cuda),$(call linked,$(1))))
draws    = $(if $(filter plot,$(call linked,$(1))),$(call pkg,--libs,$(DRAWING)))
# A program, and a variant of it for tests, with system calls that can be made to fail.
define program
$(BUILD)/$(1): $(BUILD)/tools/$(1).o $(call rooms,$(1))
	$$(call link,$(call draws,$(1)))
$(BUILD)/faults/$(1): $(BUILD)/tools/$(1).o $(BUILD)/faults/system.o $(call rooms,$(1))
	$$(call link,$(call draws,$(1)))
endef
$(foreach p,$(TOOLS),$(eval $(call program,$(p))))
$(BUILD)/toy: $(call object,$(wildcard data/*.cc)) $(call rooms,toy)
	$(call link)
$(BUILD)/complexity: $(call object,$(wildcard data/complexity/*.cc)) $(call rooms,complexity)
	$(call link)
# A variant for tests with MPI, and an emulated GPU.
$(BUILD)/mpi/tt-%: $(BUILD)/tools/tt-%.o $(call object,$(SHARED)) $(BUILD)/mpi/ranks.o $(if $(CUDA),,$(BUILD)/cuda/device.o) $(EMULATED) $(BUILD)/libtt.a
	$(call link,$(call pkg,--libs,ompi-c))
$(BUILD)/faults/system.o: private CPPFLAGS += -DTT_FAULTS
$(BUILD)/mpi/ranks.o: private CPPFLAGS += -DTT_MPI $(patsubst -I%,-isystem %,$(call pkg,--cflags,ompi-c))
$(BUILD)/faults/%.o: lib/base/%.cc $(BUILD)/flags | libraries
	$(call compile,$@)
$(BUILD)/mpi/%.o: lib/base/%.cc $(BUILD)/flags | libraries
	$(call compile,$@)
$(BUILD)/unit: $(call object,$(filter-out $(if $(PLOT),,tests/unit/plot_%),$(sort $(wildcard tests/unit/*.cc))) data/complexity/layer.cc data/complexity/chain.cc) $(EMULATED) $(BUILD)/faults/system.o $(PLOT_LIB) $(BUILD)/libtt.a
	$(call link,$(call pkg,--libs,catch2 $(DRAWING)))
$(BUILD)/bench: $(call object,$(sort $(wildcard tests/bench/*.cc))) $(BUILD)/libtt.a
	$(call link)
$(BUILD)/growth: $(call object,$(sort $(wildcard tests/growth/*.cc))) $(BUILD)/libtt.a
	$(call link)
# valgrind knows no instructions of AVX-512.
$(BUILD)/tests/growth/%.o: private CXXFLAGS += $(if $(filter x86_64,$(shell uname -m)),-mno-avx512f)
$(BUILD)/fuzz-%: $(BUILD)/tests/fuzz/%.o $(PLOT_LIB) $(BUILD)/libtt-trace.a $(BUILD)/libtt.a
	$(call link,$(call pkg,--libs,$(DRAWING)) -fsanitize=fuzzer)
$(BUILD)/%.o: %.cc $(BUILD)/flags | libraries
	$(call compile,$<)
# Rooms of the library that compute much; the others compile in less time with -O2.
HOT = $(if $(filter release,$(MODE)),-O3)
$(foreach l,markup text clean metrics tensor cpu nn comet decode lines,$(eval $(BUILD)/lib/$(l)/%.o: private CXXFLAGS += $$(HOT)))
# Only documents are read by libxml2.
$(BUILD)/lib/document/%.o: private CPPFLAGS += $(patsubst -I%,-isystem %,$(call pkg,--cflags,libxml-2.0))
# The names of HTML's entities, as a string.
ENTITIES = $(BUILD)/lib/markup/entities.o $(BUILD)/lib/markup/entities.tidy
$(BUILD)/entities.h: lib/markup/entities.txt
	@mkdir -p $(@D)
	@{ echo 'constexpr char kEntities[] = R"(' | tr -d '\n'; cat $<; echo ')";'; } >$@.new && mv $@.new $@
$(ENTITIES): $(BUILD)/entities.h
$(ENTITIES): private CPPFLAGS += -include $(BUILD)/entities.h
# Products add each term to its sum: fused, where the processor can. Elsewhere see multiply_add() in cpu/vec.h.
$(BUILD)/lib/cpu/row_product.o: private CXXFLAGS += -ffp-contract=fast
$(BUILD)/tools/version.o: private CPPFLAGS += -DTT_VERSION='"$(VERSION)"' -DTT_COMMIT='"$(COMMIT)"'
$(BUILD)/tools/version.o: $(BUILD)/commit
$(BUILD)/tools/version.o $(BUILD)/lib/clean/language.o: private CPPFLAGS += $(if $(CLD2),-DTT_CLD2)
# Files that record version and flags, so that everything is recompiled when the flags or the compiler change.
NOTE_commit := $(VERSION) $(COMMIT)
NOTE_flags  := $(strip $(CXX) $(shell $(CXX) -dumpversion 2>/dev/null) $(CPPFLAGS) $(CXXFLAGS) $(if $(CUDA),$(NVCCFLAGS)))
stale = $(if $(and $(findstring "$(1)","$(2)"),$(findstring "$(2)","$(1)")),,FORCE)
$(BUILD)/commit: $(call stale,$(NOTE_commit),$(file <$(BUILD)/commit))
$(BUILD)/flags: $(call stale,$(NOTE_flags),$(file <$(BUILD)/flags))
$(BUILD)/commit $(BUILD)/flags:
	@mkdir -p $(@D)
	@echo '$(NOTE_$(@F))' > $@

# Benchmarks and fuzz targets are compiled, so that they do not fall behind.
tested: all $(BUILD)/libtt-trace.a $(BUILD)/unit $(BUILD)/growth $(call object,$(wildcard tests/bench/*.cc tests/fuzz/*.cc)) $(TOOLS:%=$(BUILD)/faults/%) $(if $(call pkg,--libs,ompi-c),$(BUILD)/mpi/tt-train) $(CUDA_VARIANT)
	@:
test:
	+@$(build) tested
	@tests/run $(BUILD)
bench: $(BUILD)/bench
	$(BUILD)/bench
check-documents:
	+@$(build) $(BUILD)/tt-document
	@tests/documents $(BUILD)
check-cuda:
	@tests/cuda "$(MAKE)"
CUDA_BUILD = build/cuda
cuda-archive:
	+@$(build) CUDA=1 BUILD=$(CUDA_BUILD) ARCH=x86-64-v3 all $(CUDA_BUILD)/unit $(CUDA_BUILD)/bench
	@packaging/cuda-archive $(CUDA_BUILD) build/tt-cuda.tgz
# Runs each fuzz target for SECONDS; findings stay in build/fuzz.
SECONDS = 60
CLANG   = $(if $(findstring clang,$(CXX)),$(CXX),clang++)
fuzz:
	@packaging/fuzz "$(MAKE)" "$(CLANG)" $(SECONDS) $(FUZZERS)
# The variants that take longest come first.
VARIANTS = tsan asan debug clang release emulated fuzz portable debian lint
check:
	+@rm -f build/check/*.row; $(MAKE) -k $(VARIANTS:%=check-variant-%); echo; packaging/check "$(MAKE)" summary $(VARIANTS)
check-variant-%:
	+@packaging/check "$(MAKE)" $* $(SECONDS)
# Runs clang-tidy on all files, or on FILES="lib/text/subword.cc ..."; clean files are not checked again.
FILES = $(SOURCES) $(PICTURE) $(sort $(wildcard tools/*.cc data/*.cc data/*/*.cc tests/*/*.cc))
lint:
	+@$(build) -k CXX=clang++ BUILD=build/lint $(FILES:%.cc=build/lint/%.tidy)
$(BUILD)/%.tidy: %.cc .clang-tidy $(BUILD)/flags $(wildcard lib/*/*.h tools/*.h data/*.h tests/*.h tests/*/*.h) | libraries
	@mkdir -p $(@D)
	$(call step,TIDY,$<)clang-tidy --quiet $< -- $(CPPFLAGS) $(CXXFLAGS) 2>/dev/null && touch $@
format:
	clang-format -i $(FILES) $(wildcard lib/*/*.h lib/cuda/*.cu tools/*.h data/*.h data/*/*.h tests/*.h tests/*/*.h)
demo:
	+@$(build) $(patsubst %,$(BUILD)/%,toy tt-bpe tt-train tt-average tt-translate tt-bleu tt-trace $(if $(PLOT),tt-attention-plot))
	@$(MAKE) -f data/toy.mk BIN=$(BUILD) demo
multi30k enja tatoeba wmt14 l10n:
	+@$(build) all
	@$(MAKE) -f data/$@.mk BIN=$(BUILD) $@
serve:
	+@$(build) $(BUILD)/tt-cgi
	@PATH="$(abspath $(BUILD)):$$PATH" data/serve "$(MODELS)" $(PORT)
clean:
	rm -rf build

include packaging/packaging.mk

.PHONY: all without-plots deps libraries tested test bench fuzz check check-documents check-cuda cuda-archive check-debian lint format demo serve multi30k enja tatoeba wmt14 l10n clean install uninstall \
        deb dist FORCE
.SECONDARY:
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
