# "make" without a target is "make all", whatever the included makefiles begin with.
make -C "$TT_ROOT" --no-print-directory -pn 2>/dev/null | sed -n 's/^\.DEFAULT_GOAL := //p'
