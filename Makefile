# tt: neural machine translation as small programs.
#
#   make deps            install the Debian packages that are missing
#   make                 the programs, in build/$(MODE)/;  V=1 shows the commands
#   make demo            train a translator on the embedded corpus and show it
#   make multi30k        the experiment of data/multi30k.mk; also enja, tatoeba, wmt14; DATA=folder: where the corpus lies
#   make test            every test;  make bench: every measurement;  make fuzz: every parser of users' files
#   make check           every variant's tests, and the fuzzers;  make lint: clang-tidy;  make format: clang-format
#   make check-cuda      on a machine with an NVIDIA GPU: the tests on it, against the CPU, in one table
#   make check-debian    README's commands in a fresh Debian: RELEASE=trixie ARCHITECTURE=arm64 ROOT=folder, as root
#   make install         PREFIX=/usr/local DESTDIR=;  make uninstall: what that put there;  make deb: a package of Debian
#
# Variants by variable: MODE=release|debug|asan|tsan, CXX=g++|clang++, ARCH=native|x86-64-v3|...
# CUDA=1 for NVIDIA GPUs (with nvcc), which GPU_ARCH lists

MODE       = release
ARCH       = native
CXX        = g++
PKG_CONFIG = pkg-config
VERSION    = 0.1.0
PREFIX     = /usr/local
# CUDA=0 is as if it were not said.
override CUDA := $(filter-out 0,$(CUDA))
BUILD      = build/$(MODE)$(if $(CUDA),-cuda)

# SentencePiece's file of pkg-config names libprotobuf-dev from 0.2.0 on, and its headers libabsl-dev from 0.2.2 on.
PACKAGES = g++ make pkgconf libopenblas-dev libsentencepiece-dev libprotobuf-dev libabsl-dev nlohmann-json3-dev libcli11-dev \
           catch2 zlib1g-dev libcairo2-dev libpango1.0-dev libicu-dev libmecab-dev mecab-ipadic-utf8 mandoc fonts-dejavu-core \
           fonts-noto-cjk curl ca-certificates dpkg-dev clang-format

# Each module is asked for by itself: one that is missing must not take the flags of the others with it.
pkg = $(foreach m,$(2),$(shell $(PKG_CONFIG) $(1) $(m) 2>/dev/null))
PIECES  := $(shell $(PKG_CONFIG) --variable=includedir sentencepiece 2>/dev/null)/sentencepiece_processor.h
ABSEIL  := $(if $(shell grep -s absl/status/ $(PIECES)),absl_status absl_log_initialize absl_log_sink_registry absl_log_globals)
MODULES := openblas sentencepiece $(ABSEIL) nlohmann_json zlib cairo pangocairo icu-uc
MECAB   := $(if $(wildcard /usr/include/mecab.h),-lmecab)

# g++ 12 warns of overlapping copies inside std::string (its bug 105329) and, with sanitizers, of uninitialised members inside
# std::regex that do not exist.
# Vectors of 32 bytes (cpu/vec.h) never leave a build, so how processors without AVX would pass them does not matter.
QUIET = $(if $(findstring clang,$(CXX)),,-Wno-restrict -Wno-maybe-uninitialized -Wno-psabi)

FLAGS_release = -O3 -DNDEBUG
FLAGS_debug   = -O1 -g
FLAGS_asan    = -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
FLAGS_tsan    = -O1 -g -fsanitize=thread
FLAGS_fuzz    = $(FLAGS_asan) -fsanitize=fuzzer-no-link

CXXFLAGS = -std=c++20 -Wall -Wextra -Werror $(QUIET) -march=$(ARCH) -fno-math-errno -fno-trapping-math -ffp-contract=fast \
           $(FLAGS_$(MODE)) -pthread
CPPFLAGS := -Ilib -I. $(patsubst -I%,-isystem %,$(sort $(call pkg,--cflags,$(MODULES)))) $(if $(MECAB),-DTT_MECAB)
LDFLAGS  = -Wl,--as-needed
LDLIBS  := $(call pkg,--libs,$(MODULES)) $(MECAB)
ifdef CUDA
NVCC      = $(firstword $(wildcard $(CUDA_HOME)/bin/nvcc) nvcc)
CUDA_HOME = /usr/local/cuda
# Code for these GPUs, and what the driver makes code of for all newer ones.
GPU_ARCH  = sm_90 compute_75
NVCCFLAGS = -std=c++20 -O3 -ccbin $(CXX) $(foreach a,$(GPU_ARCH),-gencode arch=$(a:sm_%=compute_%),code=$(a)) --Werror all-warnings \
            -Xcompiler=-Wall,-Wextra,-Werror,-pthread
CPPFLAGS += -DTT_CUDA
LDFLAGS  += $(foreach d,$(wildcard $(CUDA_HOME)/lib64),-L$(d) -Wl,-rpath,$(d))
LDLIBS   += -lcublasLt -lcudart
endif
CATCH   := $(call pkg,--libs,catch2)
COMMIT  := $(shell git describe --always --dirty --exclude "*" 2>/dev/null)
JOBS    := $(shell nproc)

SOURCES := $(sort $(wildcard lib/*/*.cc))
TOOLS   := $(basename $(notdir $(sort $(wildcard tools/tt-*.cc))))
SHARED  := $(filter-out tools/tt-%,$(sort $(wildcard tools/*.cc)))
TESTS   := $(sort $(wildcard tests/unit/*.cc $(if $(CUDA),,tests/emulated/*.cc)))
BENCHES := $(sort $(wildcard tests/bench/*.cc))
FUZZERS := $(basename $(notdir $(sort $(wildcard tests/fuzz/*.cc))))
object   = $(patsubst %.cc,$(BUILD)/%.o,$(1))
# What nvcc compiles, and what the unit tests run in its place where it is not asked for: the same source on an emulated GPU.
KERNELS := $(sort $(wildcard lib/cuda/*.cu))
GPU      = $(if $(CUDA),$(KERNELS:%.cu=$(BUILD)/%.o))
EMULATED = $(if $(CUDA),,$(patsubst %.cu,$(BUILD)/emulated/%.o,$(filter-out %/memory.cu,$(KERNELS))))

# One short line for each file; "make -s" prints none.
SILENT := $(findstring s,$(firstword -$(MAKEFLAGS)))
step    = $(if $(V),,@$(if $(SILENT),,echo '  $(1) $(2)' && ))
link    = $(call step,LINK,$@)$(CXX) $(CXXFLAGS) $(LDFLAGS) $^ $(LDLIBS) $(1) -o $@
MAKEFLAGS += --no-print-directory
# In a make of its own, so that what `deps` has just installed is found, and on all processors unless the caller says how many.
build   = $(MAKE) $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS))

all: $(TOOLS:%=$(BUILD)/%) $(BUILD)/toy

$(BUILD)/libtt.a: $(call object,$(SOURCES)) $(GPU)
	$(call step,AR  ,$@)rm -f $@ && $(AR) rcs $@ $^
$(BUILD)/tt-%: $(BUILD)/tools/tt-%.o $(call object,$(SHARED)) $(BUILD)/libtt.a
	$(call link)
# The programs, with system calls that fail when asked to (lib/base/system.cc).
$(BUILD)/faults/tt-%: $(BUILD)/tools/tt-%.o $(call object,$(SHARED)) $(BUILD)/faults/system.o $(BUILD)/libtt.a
	$(call link)
$(BUILD)/faults/system.o: lib/base/system.cc $(BUILD)/flags | libraries
	@mkdir -p $(@D)
	$(call step,CXX ,$@)$(CXX) $(CPPFLAGS) $(CXXFLAGS) -DTT_FAULTS -MMD -MP -c $< -o $@
$(BUILD)/toy: $(call object,$(wildcard data/*.cc) $(SHARED)) $(BUILD)/libtt.a
	$(call link)
$(BUILD)/unit: $(call object,$(TESTS)) $(EMULATED) $(BUILD)/libtt.a
	$(call link,$(CATCH))
$(BUILD)/bench: $(call object,$(BENCHES)) $(BUILD)/libtt.a
	$(call link)
$(BUILD)/fuzz-%: $(BUILD)/tests/fuzz/%.o $(BUILD)/libtt.a
	$(call link,-fsanitize=fuzzer)
$(BUILD)/%.o: %.cc $(BUILD)/flags | libraries
	@mkdir -p $(@D)
	$(call step,CXX ,$<)$(CXX) $(CPPFLAGS) $(CXXFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/emulated/%.o: %.cu $(BUILD)/flags | libraries
	@mkdir -p $(@D)
	$(call step,CXX ,$<)$(CXX) $(CPPFLAGS) $(CXXFLAGS) -MMD -MP -x c++ -c $< -o $@
$(BUILD)/lib/cuda/%.o: lib/cuda/%.cu $(BUILD)/flags | libraries
	@mkdir -p $(@D)
	$(call step,NVCC,$<)$(NVCC) -Ilib -DTT_CUDA $(NVCCFLAGS) -MMD -MP -c $< -o $@
# Which of two references is the better one must not hang on how a compiler fuses a product and a sum.
$(BUILD)/lib/metrics/%.o: private CXXFLAGS += -ffp-contract=off
$(BUILD)/tools/version.o: private CPPFLAGS += -DTT_VERSION='"$(VERSION)"' -DTT_COMMIT='"$(COMMIT)"'
$(BUILD)/tools/version.o: $(BUILD)/commit
# Files that note what is compiled and how: all is compiled again when the flags or the compiler are others.
NOTE_commit := $(VERSION) $(COMMIT)
NOTE_flags  := $(strip $(CXX) $(shell $(CXX) -dumpversion 2>/dev/null) $(CPPFLAGS) $(CXXFLAGS) $(NVCCFLAGS))
stale = $(if $(and $(findstring "$(1)","$(2)"),$(findstring "$(2)","$(1)")),,FORCE)
$(BUILD)/commit: $(call stale,$(NOTE_commit),$(file <$(BUILD)/commit))
$(BUILD)/flags: $(call stale,$(NOTE_flags),$(file <$(BUILD)/flags))
$(BUILD)/commit $(BUILD)/flags:
	@mkdir -p $(@D)
	@echo '$(NOTE_$(@F))' > $@

deps:
	@packaging/deps $(PACKAGES)
libraries:
	@packaging/missing "$(CXX)" "$(PKG_CONFIG)" $(MODULES) CLI11 catch2
test:
	@$(build) all $(BUILD)/unit $(TOOLS:%=$(BUILD)/faults/%)
	@tests/run $(BUILD)
bench: $(BUILD)/bench
	$(BUILD)/bench
check-cuda:
	@tests/cuda "$(MAKE)"
# Each fuzz target for SECONDS; what it finds stays in build/fuzz.
SECONDS = 120
CLANG   = $(if $(findstring clang,$(CXX)),$(CXX),clang++)
fuzz:
	@packaging/fuzz "$(MAKE)" "$(CLANG)" $(SECONDS) $(FUZZERS)
check:
	@packaging/check "$(MAKE)"
RELEASE      = trixie
ARCHITECTURE = $(shell dpkg --print-architecture)
ROOT         = build/debian/$(RELEASE)
check-debian:
	@packaging/check-debian "$(RELEASE)" "$(ARCHITECTURE)" "$(ROOT)" $(PACKAGES)
# What .clang-tidy asks of every file, or of FILES="lib/text/subword.cc ..."; clean files are not looked at again.
FILES = $(SOURCES) $(sort $(wildcard tools/*.cc data/*.cc tests/*/*.cc))
lint:
	@$(build) -k CXX=clang++ BUILD=build/lint $(FILES:%.cc=build/lint/%.tidy)
$(BUILD)/%.tidy: %.cc .clang-tidy $(BUILD)/flags $(wildcard lib/*/*.h tools/*.h data/*.h tests/*.h tests/*/*.h) | libraries
	@mkdir -p $(@D)
	$(call step,TIDY,$<)clang-tidy --quiet $< -- $(CPPFLAGS) $(CXXFLAGS) 2>/dev/null && touch $@
format:
	clang-format -i $(FILES) $(wildcard lib/*/*.h tools/*.h data/*.h tests/*.h tests/*/*.h)
demo:
	@$(build) all
	@$(MAKE) -f data/toy.mk BIN=$(BUILD) demo
multi30k enja tatoeba wmt14:
	@$(build) all
	@$(MAKE) -f data/$@.mk BIN=$(BUILD) $@
clean:
	rm -rf build

install: all
	@VERSION=$(VERSION) REQUIRES="$(MODULES)" LIBS="$(MECAB)" ZSHDIR="$(ZSHDIR)" \
	  packaging/install "$(BUILD)" "$(PREFIX)" "$(DESTDIR)"
uninstall:
	@packaging/uninstall "$(PREFIX)" "$(DESTDIR)"
# For any processor of its architecture that is not older than about 2009; OpenBLAS chooses its kernels when it runs.
BASELINE_x86_64  = x86-64-v2
BASELINE_aarch64 = armv8-a
deb: TREE = $(CURDIR)/build/deb/tree
deb:
	@rm -rf $(TREE)
	@$(build) BUILD=build/deb MODE=release ARCH=$(BASELINE_$(shell uname -m)) \
	  PREFIX=/usr DESTDIR=$(TREE) ZSHDIR=/usr/share/zsh/vendor-completions install
	@packaging/deb $(TREE) $(VERSION) build

.PHONY: all deps libraries test bench fuzz check check-cuda check-debian lint format demo multi30k enja tatoeba wmt14 clean install uninstall \
        deb FORCE
.SECONDARY:
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
