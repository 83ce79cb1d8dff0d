# Debian's packages: those that tt needs, and tt as one. Included by the Makefile.

# SentencePiece's pkg-config file requires libprotobuf-dev since 0.2.0, and its headers libabsl-dev since 0.2.2.
PACKAGES = g++ make pkgconf libopenblas-dev libsentencepiece-dev libprotobuf-dev libabsl-dev nlohmann-json3-dev libcli11-dev \
           catch2 zlib1g-dev liblzma-dev libzstd-dev libcairo2-dev libpango1.0-dev libicu-dev libxml2-dev libyaml-cpp-dev libmd4c-dev libmecab-dev mecab-ipadic-utf8 libcld2-dev \
           mandoc fonts-dejavu-core \
           fonts-noto-cjk curl ca-certificates dpkg-dev clang-format parallel procps $(if $(MPI),libopenmpi-dev openmpi-bin)

deps:
	@packaging/deps $(PACKAGES)
libraries:
	@packaging/missing "$(CXX)" "$(PKG_CONFIG)" $(MODULES) $(DRAWING) catch2

RELEASE      = trixie
ARCHITECTURE = $(shell dpkg --print-architecture)
ROOT         = build/debian/$(RELEASE)
check-debian:
	@packaging/check-debian "$(RELEASE)" "$(ARCHITECTURE)" "$(ROOT)" $(PACKAGES)

# CLI11 is the programs' alone.
install: all $(BUILD)/libtt.a $(BUILD)/libtt-trace.a $(PLOT_LIB)
	@VERSION=$(VERSION) REQUIRES="$(filter-out CLI11,$(MODULES))" DRAWING="$(DRAWING)" LIBS="$(MECAB) $(CLD2) $(if $(filter 1,$(CUDA)),$(CUDA_LIBS) $(if $(findstring TT_NCCL,$(CPPFLAGS)),-lnccl))" ZSHDIR="$(ZSHDIR)" \
	  packaging/install "$(BUILD)" "$(PREFIX)" "$(DESTDIR)"
uninstall:
	@packaging/uninstall "$(PREFIX)" "$(DESTDIR)"
# For processors since about 2009; OpenBLAS chooses its kernels at run time.
BASELINE_x86_64  = x86-64-v2
BASELINE_aarch64 = armv8-a
BASELINE = $(or $(BASELINE_$(shell uname -m)),$(error no baseline is known for $(shell uname -m); add one to packaging/packaging.mk))
# The time that stands in what is built: that of the commit, which in the sources of "make dist" is that of each file.
deb portable: export SOURCE_DATE_EPOCH ?= $(or $(if $(wildcard .git),$(shell git log -1 --format=%ct)),$(shell stat -c %Y packaging/commit))
deb: TREE = $(CURDIR)/build/deb/tree
deb:
	@rm -rf build/deb/tree
	+@$(build) BUILD=build/deb MODE=release ARCH=$(BASELINE) \
	  PREFIX=/usr DESTDIR="$(TREE)" ZSHDIR=/usr/share/zsh/vendor-completions install
	@packaging/deb "$(TREE)" $(VERSION) build
# The sources of the commit that is checked out, in which packaging/commit names it.
dist: DIST = tt-$(VERSION)
dist:
	@mkdir -p build
	@[ -z "$$(git status --porcelain --untracked-files=no)" ] || echo 'make dist: changes that are not committed are not in it' >&2
	@git -c core.abbrev=8 -c tar.umask=0022 archive --format=tar --prefix=$(DIST)/ HEAD | gzip -9n >build/$(DIST).tar.gz.part
	@mv build/$(DIST).tar.gz.part build/$(DIST).tar.gz && echo build/$(DIST).tar.gz
# Programs for any Linux, with kernels for the levels of processors that the C library's loader knows, which are x86-64's; see
# packaging/portable.
LEVELS   = $(if $(filter x86_64,$(shell uname -m)),x86-64-v3 x86-64-v4)
PORTABLE = MODE=release FLAGS_release="$(FLAGS_release) -fPIC" ARCH=$(BASELINE)
portable:
	+@$(build) $(PORTABLE) BUILD=build/portable all build/portable/libtt.a build/portable/libtt-trace.a $(if $(PLOT),build/portable/libtt-plot.a)
	+@for level in $(LEVELS); do \
	  $(build) $(PORTABLE) ARCH=$$level BUILD=build/portable/$$level $(patsubst %.cc,build/portable/$$level/%.o,$(wildcard lib/cpu/*.cc)) || exit; done
	@CXX="$(CXX)" DRAWING="$(DRAWING)" packaging/portable build/portable $(VERSION) build "$(LEVELS)" $(LDLIBS) $(call pkg,--libs,$(DRAWING))
RELEASES = bullseye bookworm trixie testing
check-portable: portable
	@packaging/check-portable build/tt-$(VERSION)-$(shell uname -m).tar.gz build/tt_nmt-$(VERSION)-*.whl build/debian $(RELEASES)
