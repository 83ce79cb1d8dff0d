# A preset, then a file, then options; the printed settings can be read back.
tt-train --preset tiny --print-config >tiny.json
echo '{"d_model": 96, "heads": 6}' >mine.json
tt-train --preset tiny --config mine.json --heads 3 --print-config | grep -E '"(d_model|heads|d_ff|encoder_layers)"'
tt-train --config tiny.json --print-config | cmp - tiny.json && echo same
# A switch needs no value.
for flags in "--attention-bias" "--attention-bias --heads 2" "--attention-bias=false" "--attention-bias false"; do
  tt-train $flags --print-config | grep attention_bias
done
# The default of one setting depends on another, wherever that one stands.
echo '{"norm_type": "rms"}' >rms.json
for flags in "--norm-type rms" "--config rms.json" "--config rms.json --norm-epsilon 1e-5" "--norm-type layer"; do
  tt-train $flags --print-config | grep norm_epsilon
done
