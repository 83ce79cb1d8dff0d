# The list of "make check": what each variant said and how long it took, on one screen; what fails, or was not run, is its status.
mkdir bin
cat >bin/fake <<'END'
#!/bin/sh
echo "$*"
case "$*" in *MODE=asan*) echo 'FAIL unit x: 1 of 2 cases passed'; exit 1 ;; *test*) echo '12 passed, 0 failed' ;; *) echo done ;; esac
END
chmod +x bin/fake
export PATH=$PWD/bin:$PATH
check() { "$TT_ROOT/packaging/check" fake "$@" | sed -E 's/[0-9]+:[0-9]{2}/M:SS/; s/  +/ /g'; echo "exit status ${PIPESTATUS[0]}"; }
check release 1
check asan 1
PATH=$PWD/bin:/usr/bin:/bin; for tool in bash sed cat printf mkdir rm id; do ln -sf "$(command -v $tool)" "bin/$tool"; done
(PATH=$PWD/bin; "$TT_ROOT/packaging/check" fake lint 1)
check summary release asan lint tsan
check nothing 1
