# The Debian package: its contents and dependencies, and that its programs run.
. "$TT_ROOT/tests/cli/install.bash"
command -v dpkg-shlibdeps >/dev/null || { echo "there is no dpkg-shlibdeps (package dpkg-dev)" >&2; exit 77; }
install_command install PREFIX=/usr DESTDIR="$PWD/tree" ZSHDIR=/usr/share/zsh/vendor-completions || exit 1
cp -r tree other
export SOURCE_DATE_EPOCH=1700000000
"$TT_ROOT/packaging/deb" tree 1.2.3 packages >package 2>log || { cat log; exit 1; }
basename "$(cat package)" | sed "s/$(dpkg --print-architecture)/ARCH/"
package=$(cat package)
dpkg-deb -f "$package" Package Version
for library in libopenblas0 libsentencepiece0 libcairo2 libpango libicu zlib1g libc6; do
  dpkg-deb -f "$package" Depends | grep -q "$library" || echo "does not depend on $library: $(dpkg-deb -f "$package" Depends)"
done
dpkg-deb -c "$package" | grep -v ' root/root ' | head -n 3
mkdir x && dpkg-deb -x "$package" x
ls x/usr x/usr/share/man/man1/tt-train.1.gz x/usr/share/zsh/vendor-completions/_tt-train x/usr/share/doc/tt/copyright x/usr/share/tt/toy.mk
[ -e x/usr/share/tt/installed ] && echo "the list of make install is in the package"
(cd x && dpkg-deb --ctrl-tarfile "$package" | tar -xO ./md5sums | md5sum -c --quiet && echo "sums are right")
x/usr/bin/tt-translate --help | head -n 1
# The same bytes elsewhere, later and for another user; and nothing that lintian finds, which is not overridden.
(umask 077; mkdir -p another/place; mv other another/place/tree; export TZ=Asia/Tokyo LC_ALL=$(locale -a | grep -v "^C\|POSIX" | sed 1q); sleep 1
 "$TT_ROOT/packaging/deb" another/place/tree 1.2.3 another >again 2>log || cat log)
cmp "$package" "$(cat again)" && echo "the same bytes"
if command -v lintian >/dev/null; then lintian --allow-root "$package" 2>&1 | grep -E '^[EW]:' | head -n 5; fi
gzip -dc x/usr/share/doc/tt/changelog.gz | head -n 1
ls x/usr/lib/*/pkgconfig/tt.pc | sed "s|lib/.*/pkgconfig|lib/ARCH/pkgconfig|"
