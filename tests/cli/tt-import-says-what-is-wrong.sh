# One line that names the file and what was expected, whatever is given.
. "$TT_ROOT/tests/cli/train.bash"
prepare
trained run --max-updates 1 --start zero --position-layout tensor2tensor --norm-epsilon 1e-6
tt-export -q --to ctranslate2 -o ct2 run/update-0000001.tt
tt-export -q --to marian -o marian run/update-0000001.tt
trained plain --max-updates 1
tt-export -q --to hugging-face -o hf plain/update-0000001.tt
tt-export -q --to ctranslate2 -o ct2.start plain/update-0000001.tt
import() { tt-import -q -o model.tt "$@" 2>&1; echo "  exit status $?, $(ls model.tt 2>/dev/null | wc -l) models"; rm -f model.tt; }
# copy FORMAT: a folder `bad` to spoil.
copy() { rm -rf bad; cp -r "$1" bad; }

echo "nothing, and what is no model"
import nowhere
mkdir empty; import empty
import corpus/train.en
import subword.model
import --from hugging-face ct2
import --from ctranslate2 hf
import --from hugging-face marian/model.npz
import --from ctranslate2 ct2/model.bin
import plain/update-0000001.tt
mkfifo pipe; import pipe
for other in tf_model.h5 flax_model.msgpack encoder_model.onnx; do copy hf; mv bad/model.safetensors bad/$other; import bad; done
mkdir lora; echo '{"peft_type": "LORA"}' >lora/adapter_config.json; import lora
import ct2/model.bin; import hf/config.json; cp ct2/model.bin ct2.other; import ct2.other

echo "its own files"
for file in config.json model.safetensors; do
  tt-import -q -o hf/$file hf 2>&1; echo "  exit status $?"
done
import hf

echo "truncated"
copy ct2; head -c 5000 ct2/model.bin >bad/model.bin; import bad
copy ct2; head -c 3 ct2/model.bin >bad/model.bin; import bad
copy marian; head -c 20000 marian/model.npz >bad/model.npz; import bad
copy hf; head -c 100 hf/model.safetensors >bad/model.safetensors; import bad
copy hf; head -c 9000 hf/model.safetensors >bad/model.safetensors; import bad

echo "no number"
copy hf; printf '\xff\xff\xff\xff' | dd of=bad/model.safetensors bs=1 seek=$(($(stat -c %s bad/model.safetensors) - 4)) conv=notrunc status=none
tt-import -o model.tt bad 2>&1; ls model.tt 2>/dev/null

echo "missing"
for file in model.npz vocab.spm decoder.yml; do copy marian; rm bad/$file; import bad; done
for file in config.json vocab.json source.spm model.safetensors; do copy hf; rm bad/$file; import bad; done
for file in model.bin shared_vocabulary.json target.spm; do copy ct2; rm bad/$file; import bad; done

echo "of other models"
copy ct2; echo '["</s>", "<unk>", "a"]' >bad/shared_vocabulary.json; import bad
copy ct2; sed -i 's/"<\/s>"/"zzz"/' bad/config.json; import bad
copy hf; echo '{"</s>": 0, "<unk>": 1, "a": 2}' >bad/vocab.json; import bad
copy hf; echo '{"</s>": 0, "<unk>": 0}' >bad/vocab.json; import bad
printf '</s>: 0\n<unk>: 1\na: 2\n' >small.yml; import --vocabulary small.yml marian/model.npz
printf '<unk>: 0\na: 1\n' >small.yml; import --vocabulary small.yml marian/model.npz
{ seq 401 | sed 's/.*/"&": &/'; echo '</s>: 0'; } >small.yml; import --vocabulary small.yml marian/model.npz
printf '</s>: 0\n<unk>\n' >small.yml; import --vocabulary small.yml marian/model.npz
import --vocabulary small.yml hf

awk '{ s = ""; for (i = length; i > 0; --i) s = s substr($0, i, 1); print s }' corpus/train.en >turned
copy hf; tt-bpe train -q --vocab-size 200 -o other.spm turned; cp other.spm bad/source.spm; import bad

echo "settings"
copy hf; sed -i 's/"relu"/"tanh"/' bad/config.json; import bad
copy hf; sed -i 's/"marian"/"umt5"/' bad/config.json; import bad
copy hf; sed -i 's/"decoder_ffn_dim": [0-9]*/"decoder_ffn_dim": 7/' bad/config.json; import bad
copy hf; echo '[]' >bad/config.json; import bad
copy hf; sed -i 's/"marian"/["marian"]/' bad/config.json; import bad
copy hf; sed -i 's/"num_beams": [0-9]*/"num_beams": 0/' bad/generation_config.json; import bad
for setting in '"eos_token_id": 5' '"eos_token_id": [2, 5]' '"tt_position_layout": "foo"' '"tt_start": 400'; do
  copy hf; sed -i "s/^}/, $setting}/" bad/config.json; sed -i 's/"eos_token_id": [0-9]*,//' bad/generation_config.json; import bad
done
copy hf; sed -i 's/^}/, "no_repeat_ngram_size": 3, "bad_words_ids": [[7]], "min_length": 0, "max_length": 20, "max_new_tokens": 9}/' bad/generation_config.json
tt-import -o model.tt bad 2>&1 | tail -n 1; rm model.tt
# Settings that transformers never reads, and those that it has where a folder says nothing
copy hf; for key in normalize_before normalize_embedding add_final_layer_norm add_bias_logits; do sed -i "s/^}/, \"$key\": true}/" bad/config.json; done
sed -i '/num_beams/d' bad/generation_config.json; tt-import -q -o model.tt bad && tt-model config -m model.tt | grep -E '"(beam|extra_length)"'; rm model.tt
sed -i '/max_length/d; s/^}/, "max_new_tokens": 9}/' bad/generation_config.json; sed -i '/tt_length_factor/d; /tt_extra_length/d' bad/config.json
tt-import -q -o model.tt bad && tt-model config -m model.tt | grep -E '"(length_factor|extra_length)"'; rm model.tt
sed -i 's/, "max_new_tokens": 9//' bad/generation_config.json; tt-import -o model.tt bad 2>&1 | tail -n 1; rm model.tt
copy marian; printf 'output-sampling: full\nshortlist: [lex.s2t.bin, 100, 75]\n' >>bad/decoder.yml
tt-import -o model.tt bad 2>&1 | grep kept; rm model.tt
copy hf; rm bad/source.spm; mkfifo bad/source.spm; import bad
for file in decoder.yml vocab.spm; do
  copy marian; rm -f bad/$file; mkfifo bad/$file; import bad
done
for file in config.json vocab.json; do
  copy hf; rm bad/$file; mkfifo bad/$file; import bad
done
tt-import -o model.tt marian --source-subword - --target-subword - <subword.model 2>&1; echo "  exit status $?"
for setting in '"add_source_bos": "x"' '"add_source_bos": true' '"add_source_bos": true, "bos_token": "<unk>"' '"layer_norm_epsilon": "x"' \
  '"layer_norm_epsilon": -1' '"unk_token": 5'; do
  copy ct2; echo "{$setting}" >bad/config.json; import bad
done
for start in '"zzz"' '""' null; do
  copy ct2.start; sed -i "s/\(\"decoder_start_token\": \)\"<s>\"/\1$start/" bad/config.json; import bad
done
# Pieces that choose a language, which cannot be given
copy ct2; sed -i '20s/"[^"]*"/"__en__"/; 21s/"[^"]*"/"__de__"/' bad/shared_vocabulary.json; import bad
import --source-eos yes hf
# Options of the same length, so that the archive stays one; its checksums are not.
copy marian; sed -i 's/type: transformer\n/type: s2s        /' bad/model.npz; LC_ALL=C sed -i 's/ffn-activation: relu/ffn-activation: tanh/' bad/model.npz
import bad

echo "a pickle that is a program"
copy hf; rm bad/model.safetensors
python_zip() { # a zip archive of one stored member, made by hand
  local name=$1 size crc
  size=$(stat -c %s "$2")
  crc=$(gzip -c "$2" | tail -c 8 | head -c 4 | od -A n -t u4 | tr -d ' ')
  le() { local i; for ((i = 0; i < $2; i++)); do printf "\\x$(printf %02x $(($1 >> (8 * i) & 255)))"; done; }
  printf 'PK\3\4'; le 20 2; le 0 2; le 0 2; le 0 4; le "$crc" 4; le "$size" 4; le "$size" 4; le ${#name} 2; le 0 2; printf %s "$name"; cat "$2"
  printf 'PK\1\2'; le 20 2; le 20 2; le 0 2; le 0 2; le 0 4; le "$crc" 4; le "$size" 4; le "$size" 4; le ${#name} 2; le 0 2; le 0 2; le 0 2; le 0 2; le 0 4
  le 0 4
  printf %s "$name"
  printf 'PK\5\6'; le 0 4; le 1 2; le 1 2; le $((46 + ${#name})) 4; le $((30 + ${#name} + size)) 4; le 0 2
}
printf '\x80\x02cposix\nsystem\nX\x0a\x00\x00\x00touch it_ran\x85R.' >program
python_zip archive/data.pkl program >bad/pytorch_model.bin; import bad
printf '\x80\x02}.' >program
python_zip archive/data.pkl program >bad/pytorch_model.bin; import bad
python_zip other program >bad/pytorch_model.bin; import bad
python_zip other program >other.zip; import other.zip
printf "a line\n" >bad/pytorch_model.bin; import bad
printf 'version https://git-lfs.github.com/spec/v1\n' >bad/pytorch_model.bin; import bad
copy hf; LC_ALL=C sed -i 's/"dtype":"F32"/"dtype":"I32"/g' bad/model.safetensors; import bad
[ ! -e it_ran ] || echo "it ran"
