# -m: the learned positions of a model file, all of them or some, of the encoder or the decoder.
. "$TT_ROOT/tests/cli/safetensors.bash"
one='\x00\x00\x80\x3f' two='\x00\x00\x00\x40' three='\x00\x00\x40\x40'
metadata='"__metadata__":{"format":"tt-1","kind":"model","config":"{}"}'
tensor() { echo "\"$1\":{\"dtype\":\"F32\",\"shape\":[$2],\"data_offsets\":[$3,$4]}"; }
printf "$one$two$three$one$two$two$three$three" |
  frame "{$metadata,$(tensor encoder.positions 3,2 0 24),$(tensor decoder.positions 1,2 24 32)}" >m.tt
tt-pe-plot -m m.tt --tsv
tt-pe-plot -m m.tt --tsv -n 1 --first 1
tt-pe-plot -m m.tt --tsv --side decoder
tt-pe-plot -m m.tt --tsv --similarity
tt-pe-plot -m m.tt -o learned.png && ls learned.png
printf "$one" | frame "{$metadata,$(tensor w 1 0 4)}" >plain.tt
tt-pe-plot -m plain.tt --tsv; echo "exit status $?"
tt-pe-plot -m m.tt --first 3 --tsv; echo "exit status $?"
printf "$one" | frame "{$metadata,$(tensor encoder.positions 1 0 4)}" >vector.tt
tt-pe-plot -m vector.tt --tsv; echo "exit status $?"
for config in '{\"type\":\"lstm\"}' '{\"positions\":\"none\"}' '{\"positions\":\"learned\"}'; do
  printf "$one" | frame "{${metadata/\{\}/$config},$(tensor w 1 0 4)}" >other.tt
  tt-pe-plot -m other.tt --tsv; echo "exit status $?"
done
