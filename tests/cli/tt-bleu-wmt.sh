"$TT_ROOT/tests/golden/wmt" "${TT_WMT_DATA:-}" "$BUILD/unit"
