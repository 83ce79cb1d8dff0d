# A user's program, compiled against the installed headers and library with the flags of pkg-config.
. "$TT_ROOT/tests/cli/install.bash"
nm -u "$BUILD/libtt.a" 2>/dev/null | grep -q -e __asan_ -e __tsan_ && { echo "the library was built for a sanitizer" >&2; exit 77; }
install_command install PREFIX="$PWD/root" || exit 1
# What "make install" places it also builds, in a folder where nothing is yet.
for file in $(cd root/lib && ls *.a); do
  make -n -C "$TT_ROOT" BUILD="$PWD/none" install 2>/dev/null | grep -q "ar rcs $PWD/none/$file" && echo "$file is built"
done
cat >own.cc <<'C'
#include <cstdio>
#include <tt/metrics/bleu.h>
#include <tt/model/config.h>

int main() {
  tt::metrics::BleuOptions options;
  options.tokenize = "char";
  const std::vector<std::string> text{"one two three four five"};
  std::printf("%.1f %d\n", tt::metrics::corpus_bleu(text, text, options), tt::preset("big").d_model);
}
C
export PKG_CONFIG_PATH=$PWD/root/lib/pkgconfig
g++ -std=c++20 own.cc $(pkg-config --cflags --libs tt) -o own && ./own

# The page of traces is in a library of its own.
cat >page.cc <<'C'
#include <tt/trace/page.h>

int main() { return tt::page_of(std::vector<tt::Trace>(1), 0).find("<html") == std::string::npos; }
C
g++ -std=c++20 page.cc $(pkg-config --cflags --libs tt-trace) -o page && ./page && echo "a page"
for library in libtt libtt-trace; do echo "$library: $(nm -C root/lib/$library.a 2>/dev/null | grep -c ' [DR] tt::page_files::script') page"; done

# Every installed header compiles, and none of ours is found without its tt/.
flags=$(pkg-config --cflags tt-plot 2>/dev/null || pkg-config --cflags tt)
for header in $(cd root/include && find tt -name '*.h' | LC_ALL=C sort); do
  echo "#include <$header>"
done >every.cc
g++ -std=c++20 -fsyntax-only $flags every.cc && echo "all headers compile"
grep -rn '#include "' root/include/tt
echo '#include "base/error.h"' | g++ -std=c++20 -fsyntax-only $flags -x c++ - 2>/dev/null && echo "base/error.h is in the path of includes"
true
