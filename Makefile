# tt: neural machine translation as small programs.
#
#   make deps            install missing Debian packages
#   make                 build the programs in build/$(MODE)/;  V=1 shows the commands
#   make demo            train a translator on the embedded corpus and show some translations
#   make multi30k        run the experiment of data/multi30k.mk; also enja, tatoeba, wmt14; DATA=folder: where the corpus is
#   make test            run all tests;  make bench: all benchmarks;  make fuzz: fuzz the parsers of user files
#   make check           the tests of all variants, and the fuzzers;  make lint: clang-tidy;  make format: clang-format
#   make check-cuda      on a machine with an NVIDIA GPU: run the tests on it and compare with the CPU
#   make check-debian    the README's commands in a fresh Debian, as root: RELEASE=trixie ARCHITECTURE=arm64 ROOT=folder
#   make install         PREFIX=/usr/local DESTDIR=;  make uninstall: undo it;  make deb: build a Debian package
#
# Variables choose variants: MODE=release|debug|asan|tsan, CXX=g++|clang++, ARCH=native|x86-64-v3|...
# CUDA=1 builds for the NVIDIA GPUs listed in GPU_ARCH, with nvcc; CUDA=emulated: an emulated GPU for tests (slow)

MODE       = release
ARCH       = native
CXX        = g++
PKG_CONFIG = pkg-config
VERSION    = 0.1.0
PREFIX     = /usr/local
# CUDA=0 is the same as not set.
override CUDA := $(filter-out 0,$(CUDA))
$(if $(filter-out 1 emulated,$(CUDA)),$(error CUDA is 0, 1 or emulated))
BUILD      = build/$(MODE)$(if $(CUDA),-cuda)$(if $(filter emulated,$(CUDA)),-emulated)
# An absolute path of the same folder is made relative, so that dependency files always name the same targets.
override BUILD := $(patsubst $(CURDIR)/%,%,$(BUILD))

# SentencePiece's pkg-config file requires libprotobuf-dev since 0.2.0, and its headers libabsl-dev since 0.2.2.
PACKAGES = g++ make pkgconf libopenblas-dev libsentencepiece-dev libprotobuf-dev libabsl-dev nlohmann-json3-dev libcli11-dev \
           catch2 zlib1g-dev libcairo2-dev libpango1.0-dev libicu-dev libmecab-dev mecab-ipadic-utf8 mandoc fonts-dejavu-core \
           fonts-noto-cjk curl ca-certificates dpkg-dev clang-format

# Each module is queried on its own: with a missing one in the list, pkg-config would print no flags at all.
pkg = $(foreach m,$(2),$(shell $(PKG_CONFIG) $(1) $(m) 2>/dev/null))
PIECES  := $(shell $(PKG_CONFIG) --variable=includedir sentencepiece 2>/dev/null)/sentencepiece_processor.h
ABSEIL  := $(if $(shell grep -s absl/status/ $(PIECES)),absl_status absl_log_initialize absl_log_sink_registry absl_log_globals)
MODULES := openblas sentencepiece $(ABSEIL) nlohmann_json zlib cairo pangocairo icu-uc
MECAB   := $(if $(wildcard /usr/include/mecab.h),-lmecab)

# g++ 12 falsely warns of overlapping copies inside std::string (its bug 105329) and, with sanitizers, of uninitialised members
# inside std::regex.
# 32-byte vectors (cpu/vec.h) are not passed between separate builds, so their ABI on processors without AVX does not matter.
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
CPPFLAGS += -DTT_CUDA
endif
ifeq ($(CUDA),1)
NVCC      = $(firstword $(wildcard $(CUDA_HOME)/bin/nvcc) nvcc)
CUDA_HOME = /usr/local/cuda
# Machine code for these GPUs (sm_*), and PTX (compute_*) that the driver compiles for all newer ones.
GPU_ARCH  = sm_90 compute_75
NVCCFLAGS = -std=c++20 -O3 -ccbin $(CXX) $(foreach a,$(GPU_ARCH),-gencode arch=$(a:sm_%=compute_%),code=$(a)) --Werror all-warnings \
            -Xcompiler=-Wall,-Wextra,-Werror,-pthread
LDFLAGS  += $(foreach d,$(wildcard $(CUDA_HOME)/lib64),-L$(d) -Wl,-rpath,$(d))
LDLIBS   += -lcublasLt -lcudart
endif
CATCH   := $(call pkg,--libs,catch2)
COMMIT  := $(shell git describe --always --dirty --exclude "*" 2>/dev/null)
JOBS    := $(shell nproc)

SOURCES := $(sort $(wildcard lib/*/*.cc))
TOOLS   := $(basename $(notdir $(sort $(wildcard tools/tt-*.cc))))
SHARED  := $(filter-out tools/tt-%,$(sort $(wildcard tools/*.cc)))
TESTS   := $(sort $(wildcard tests/unit/*.cc))
BENCHES := $(sort $(wildcard tests/bench/*.cc))
FUZZERS := $(basename $(notdir $(sort $(wildcard tests/fuzz/*.cc))))
object   = $(patsubst %.cc,$(BUILD)/%.o,$(1))
# The sources that nvcc compiles; without CUDA, the unit tests run the same sources on an emulated GPU, and so do the programs with
# CUDA=emulated.
KERNELS := $(sort $(wildcard lib/cuda/*.cu))
EMULATION = $(patsubst %.cu,$(BUILD)/emulated/%.o,$(filter-out %/memory.cu,$(KERNELS))) $(call object,$(sort $(wildcard tests/emulated/*.cc)))
EMULATED = $(if $(CUDA),,$(EMULATION))
GPU      = $(if $(filter 1,$(CUDA)),$(KERNELS:%.cu=$(BUILD)/%.o))$(if $(filter emulated,$(CUDA)),$(EMULATION))

# One short line for each file; "make -s" prints none.
SILENT := $(findstring s,$(firstword -$(MAKEFLAGS)))
step    = $(if $(V),,@$(if $(SILENT),,echo '  $(1) $(2)' && ))
link    = $(call step,LINK,$@)$(CXX) $(CXXFLAGS) $(LDFLAGS) $^ $(LDLIBS) $(1) -o $@
MAKEFLAGS += --no-print-directory
# In a separate make, so that packages just installed by `deps` are found; on all processors unless the caller gives -j.
build   = $(MAKE) $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS))

all: $(TOOLS:%=$(BUILD)/%) $(BUILD)/toy $(BUILD)/layers

$(BUILD)/libtt.a: $(call object,$(SOURCES)) $(GPU)
	$(call step,AR  ,$@)rm -f $@ && $(AR) rcs $@ $^
$(BUILD)/tt-%: $(BUILD)/tools/tt-%.o $(call object,$(SHARED)) $(BUILD)/libtt.a
	$(call link)
# The programs with system calls that can be made to fail (lib/base/system.cc).
$(BUILD)/faults/tt-%: $(BUILD)/tools/tt-%.o $(call object,$(SHARED)) $(BUILD)/faults/system.o $(BUILD)/libtt.a
	$(call link)
$(BUILD)/faults/system.o: lib/base/system.cc $(BUILD)/flags | libraries
	@mkdir -p $(@D)
	$(call step,CXX ,$@)$(CXX) $(CPPFLAGS) $(CXXFLAGS) -DTT_FAULTS -MMD -MP -c $< -o $@
$(BUILD)/toy: $(call object,$(wildcard data/*.cc) $(SHARED)) $(BUILD)/libtt.a
	$(call link)
$(BUILD)/layers: $(call object,$(wildcard data/layers/*.cc) $(SHARED)) $(BUILD)/libtt.a
	$(call link)
$(BUILD)/unit: $(call object,$(TESTS)) $(EMULATED) $(BUILD)/faults/system.o $(BUILD)/libtt.a
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
# The choice between two references must not depend on whether the compiler fuses multiplications and additions.
$(BUILD)/lib/metrics/%.o: private CXXFLAGS += -ffp-contract=off
$(BUILD)/tools/version.o: private CPPFLAGS += -DTT_VERSION='"$(VERSION)"' -DTT_COMMIT='"$(COMMIT)"'
$(BUILD)/tools/version.o: $(BUILD)/commit
# Files that record version and flags, so that everything is recompiled when the flags or the compiler change.
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
# Runs each fuzz target for SECONDS; findings stay in build/fuzz.
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
# Runs clang-tidy on all files, or on FILES="lib/text/subword.cc ..."; clean files are not checked again.
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
# For processors since about 2009; OpenBLAS chooses its kernels at run time.
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
