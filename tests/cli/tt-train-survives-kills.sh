# SIGKILL at random moments, and the same command again: the bits of a run that was left alone.
"$TT_ROOT/tests/kills" "$BUILD" 6 2>err || { cat err; exit 1; }
