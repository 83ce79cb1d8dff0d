# Two makes with other flags in one folder: the one that finds that the flags have changed meanwhile stops, and leaves no object.
cat >compiler <<'CXX'
#!/bin/sh
case " $* " in *" -c "*) echo other >"$BUILD_HERE/flags" ;; esac
exec g++ "$@"
CXX
chmod +x compiler
export BUILD_HERE=$PWD/here
try() { make -s -C "$TT_ROOT" BUILD="$BUILD_HERE" "$@" "$BUILD_HERE/lib/base/nearest.o" 2>&1 | grep -o 'another make.*'; find here -name '*.o'; }
try CXX="$PWD/compiler"
try CXX=g++
