# tt: neural machine translation as small programs.
#
#   make deps            install the Debian packages that are missing
#   make                 the programs, in build/$(MODE)/
#   make demo            train a translator on the embedded corpus and show it
#   make multi30k        the experiment of data/multi30k.mk; also enja, tatoeba, wmt14; DATA=folder: where the corpus lies
#   make test            every test;  make bench: every measurement;  make fuzz: every parser of users' files
#   make install         PREFIX=/usr/local DESTDIR=;  make uninstall: what that put there;  make deb: a package of Debian
#
# Variants by variable: MODE=release|debug|asan|tsan, CXX=g++|clang++, ARCH=native|x86-64-v3|...

MODE    = release
ARCH    = native
CXX     = g++
VERSION = 0.1.0
PREFIX  = /usr/local
BUILD   = build/$(MODE)

PACKAGES = g++ make pkg-config libopenblas-dev libsentencepiece-dev nlohmann-json3-dev libcli11-dev catch2 zlib1g-dev \
           libcairo2-dev libpango1.0-dev libicu-dev libmecab-dev mecab-ipadic-utf8 mandoc fonts-dejavu-core fonts-noto-cjk curl ca-certificates \
           dpkg-dev
LIBRARIES = openblas sentencepiece nlohmann_json zlib cairo pangocairo icu-uc $(MECAB)
MECAB := $(if $(wildcard /usr/include/mecab.h),mecab)

# g++ 12 warns of overlapping copies inside std::string (its bug 105329) and, with sanitizers, of uninitialised members inside
# std::regex that do not exist.
# Vectors of 32 bytes (cpu/vec.h) never leave a build, so how processors without AVX would pass them does not matter.
QUIET_g++ = -Wno-restrict -Wno-maybe-uninitialized -Wno-psabi

FLAGS_release = -O3 -DNDEBUG
FLAGS_debug   = -O1 -g
FLAGS_asan    = -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
FLAGS_tsan    = -O1 -g -fsanitize=thread
FLAGS_fuzz    = $(FLAGS_asan) -fsanitize=fuzzer-no-link

CXXFLAGS = -std=c++20 -Wall -Wextra -Werror $(QUIET_$(CXX)) -march=$(ARCH) -fno-math-errno -fno-trapping-math -ffp-contract=fast $(FLAGS_$(MODE)) \
           -pthread
CPPFLAGS = -Ilib -I. $(shell pkg-config --cflags $(filter-out mecab,$(LIBRARIES)) | sed 's/-I/-isystem /g') $(if $(MECAB),-DTT_MECAB)
LDLIBS   = $(shell pkg-config --libs $(filter-out mecab,$(LIBRARIES))) $(if $(MECAB),-lmecab)
# A library only from version 3 on.
CATCH    = $(shell pkg-config --libs catch2 2>/dev/null)
COMMIT  := $(shell git describe --always --dirty --exclude "*" 2>/dev/null)

SOURCES := $(sort $(wildcard lib/*/*.cc))
TOOLS   := $(basename $(notdir $(sort $(wildcard tools/tt-*.cc))))
SHARED  := $(filter-out tools/tt-%,$(sort $(wildcard tools/*.cc)))
TESTS   := $(sort $(wildcard tests/unit/*.cc))
BENCHES := $(sort $(wildcard tests/bench/*.cc))
FUZZERS := $(basename $(notdir $(sort $(wildcard tests/fuzz/*.cc))))
object   = $(patsubst %.cc,$(BUILD)/%.o,$(1))

all: $(TOOLS:%=$(BUILD)/%) $(BUILD)/toy

$(BUILD)/libtt.a: $(call object,$(SOURCES))
	rm -f $@ && $(AR) rcs $@ $^
$(BUILD)/tt-%: $(BUILD)/tools/tt-%.o $(call object,$(SHARED)) $(BUILD)/libtt.a
	$(CXX) $(CXXFLAGS) $^ $(LDLIBS) -o $@
$(BUILD)/toy: $(call object,$(wildcard data/*.cc) $(SHARED)) $(BUILD)/libtt.a
	$(CXX) $(CXXFLAGS) $^ $(LDLIBS) -o $@
$(BUILD)/unit: $(call object,$(TESTS)) $(BUILD)/libtt.a
	$(CXX) $(CXXFLAGS) $^ $(LDLIBS) $(CATCH) -o $@
$(BUILD)/bench: $(call object,$(BENCHES)) $(BUILD)/libtt.a
	$(CXX) $(CXXFLAGS) $^ $(LDLIBS) -o $@
$(BUILD)/fuzz-%: $(BUILD)/tests/fuzz/%.o $(BUILD)/libtt.a
	$(CXX) $(CXXFLAGS) -fsanitize=fuzzer $^ $(LDLIBS) -o $@
$(BUILD)/%.o: %.cc
	@mkdir -p $(@D)
	$(CXX) $(CPPFLAGS) $(CXXFLAGS) -MMD -MP -c $< -o $@
# Which of two references is the better one must not hang on how a compiler fuses a product and a sum.
$(BUILD)/lib/metrics/%.o: CXXFLAGS += -ffp-contract=off
# Compiled again when the commit is another, which the file of that name notes.
$(BUILD)/tools/version.o: CPPFLAGS += -DTT_VERSION='"$(VERSION)"' -DTT_COMMIT='"$(COMMIT)"'
$(BUILD)/tools/version.o: $(BUILD)/commit
$(BUILD)/commit: FORCE
	@mkdir -p $(@D)
	@echo "$(VERSION) $(COMMIT)" | cmp -s - $@ || echo "$(VERSION) $(COMMIT)" > $@

deps:
	@missing=$$(for p in $(PACKAGES); do dpkg -s $$p 2>/dev/null | grep -q '^Status: install ok installed' || echo $$p; done); \
	if [ -n "$$missing" ]; then \
	  sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	  $$sudo apt-get update && $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $$missing; \
	fi

# In a make of its own, so that what `deps` has just installed is found, and so that all processors compile.
JOBS := $(shell nproc)
test:
	$(MAKE) -j$(JOBS) all $(BUILD)/unit
	tests/run $(BUILD)
bench: $(BUILD)/bench
	$(BUILD)/bench
# Each fuzz target for SECONDS; what it finds stays in build/fuzz. Needs clang.
fuzz: SECONDS = 120
fuzz:
	$(MAKE) MODE=fuzz CXX=clang++ $(FUZZERS:%=build/fuzz/fuzz-%)
	cd build/fuzz && for f in $(FUZZERS); do \
	  mkdir -p corpus/$$f && ./fuzz-$$f -max_total_time=$(SECONDS) -max_len=2000 corpus/$$f ../../tests/fuzz/seeds/$$f || exit 1; done
demo:
	$(MAKE) -j$(JOBS) all
	$(MAKE) -f data/toy.mk BIN=$(BUILD) demo
multi30k enja tatoeba wmt14:
	$(MAKE) -j$(JOBS) all
	$(MAKE) -f data/$@.mk BIN=$(BUILD) $@
clean:
	rm -rf build

install: all
	VERSION=$(VERSION) REQUIRES="$(filter-out mecab,$(LIBRARIES))" LIBS="$(MECAB:%=-l%)" ZSHDIR="$(ZSHDIR)" \
	  packaging/install "$(BUILD)" "$(PREFIX)" "$(DESTDIR)"
uninstall:
	packaging/uninstall "$(PREFIX)" "$(DESTDIR)"
# For any processor of its architecture that is not older than about 2009; OpenBLAS chooses its kernels when it runs.
BASELINE_x86_64  = x86-64-v2
BASELINE_aarch64 = armv8-a
deb: TREE = $(CURDIR)/build/deb/tree
deb:
	rm -rf $(TREE)
	$(MAKE) BUILD=build/deb MODE=release ARCH=$(BASELINE_$(shell uname -m)) PREFIX=/usr DESTDIR=$(TREE) ZSHDIR=/usr/share/zsh/vendor-completions install
	packaging/deb $(TREE) $(VERSION) build

.PHONY: all deps test bench fuzz demo multi30k enja tatoeba wmt14 clean install uninstall deb FORCE
.SECONDARY:
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
