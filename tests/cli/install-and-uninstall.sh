# make install puts everything in its place, and make uninstall restores exactly the previous state.
. "$TT_ROOT/tests/cli/install.bash"
mkdir -p root/usr/bin root/usr/share/man/man1 root/usr/share/zsh
echo mine >root/usr/bin/mine
listing root >before
install_command install PREFIX=/usr DESTDIR="$PWD/root" || exit 1
listing root >installed
for source in "$TT_ROOT"/tools/tt-*.cc; do
  tool=$(basename "$source" .cc)
  [ -x root/usr/bin/$tool ] || echo "$tool: not installed"
  cmp "$TT_ROOT/man/$tool.1" root/usr/share/man/man1/$tool.1
  bash -n root/usr/share/bash-completion/completions/$tool && grep -q "^complete .* $tool$" root/usr/share/bash-completion/completions/$tool ||
    echo "$tool: no completion for bash"
  grep -q "^#compdef $tool$" root/usr/share/zsh/site-functions/_$tool || echo "$tool: no completion for zsh"
done
ls root/usr/share/man/man5/tt-* root/usr/share/man/man7/tt.7
diff <(cd "$TT_ROOT/lib" && grep -rl --include='*.h' '^#pragma once' . | sort) <(cd root/usr/include/tt && find . -name '*.h' | sort) && echo "all headers"
cmp "$BUILD/libtt.a" root/usr/lib/libtt.a && echo "the library"
grep -h -e '^prefix' -e '^Version: [0-9]' root/usr/lib/pkgconfig/tt.pc | sed 's/ [0-9.]*$/ N/'
root/usr/bin/tt-pe-plot --version |
  sed -E 's/ [0-9]+\.[0-9]+\.[0-9]+(, commit ([0-9a-f]+(-dirty)?|unknown))?$/ N/; s/^BLAS: OpenBLAS .*/BLAS: OpenBLAS/
    s/^Products: .*/Products: known/; s/^ICU: [0-9.]+, Unicode [0-9.]+$/ICU: known/; s/^(MeCab|libcld2): (yes|no)$/\1: known/'

# Again, over a version that had a file which this one has not.
echo old >root/usr/share/tt/old.mk
echo /usr/share/tt/old.mk >>root/usr/share/tt/installed
install_command install PREFIX=/usr DESTDIR="$PWD/root"
listing root | diff installed - && echo "the same again"

# Files that others have put into our folders stay.
echo mine >root/usr/share/tt/mine.mk
install_command uninstall PREFIX=/usr DESTDIR="$PWD/root"
listing root | diff before - | grep "^[<>]"
rm -r root/usr/share/tt
listing root | diff before - && echo "as before"
install_command uninstall PREFIX=/usr DESTDIR="$PWD/root" 2>&1 | sed "s|$PWD|.|"
install_command install PREFIX=usr DESTDIR="$PWD/root"

# Experiments run from where they are installed, in any folder.
install_command install PREFIX="$PWD/opt" || exit 1
mkdir -p elsewhere && cd elsewhere
make -s -n -f ../opt/share/tt/toy.mk demo >plan
grep -c -e 'build/release' -e ' data/' plan
for recipe in multi30k enja tatoeba wmt14 paper; do make -s -n -f ../opt/share/tt/$recipe.mk -p nothing 2>&1 | sed -n "s|^BIN.*= $(cd ..; pwd)/||p"; done |
  uniq -c
make -s -n -f ../opt/share/tt/opus-mt.mk import PAIR=en-de | sed -n "s|^$(cd ..; pwd)/||p"
make -s -f ../opt/share/tt/toy.mk build/demo/subword.model 2>/dev/null
ls build/demo
make -s -f ../opt/share/tt/paper.mk QUICK=1 OUT=paper table1 LAYERS='--lengths 8,16 --widths 16,32 --seconds 0.0001' | grep -c '^table 1'
make -s -f ../opt/share/tt/paper.mk QUICK=1 OUT=paper paper/report.html 2>&1 | grep -c missing; grep -c '<h2>Table 1' paper/report.html
cd ..
install_command uninstall PREFIX="$PWD/opt"
[ ! -e opt ] && echo "nothing is left"
