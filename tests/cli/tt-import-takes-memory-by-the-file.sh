# A small file takes little memory, whatever it says: pickles that name a value a thousand times, metadata without end.
case $(basename "$BUILD") in *asan* | *tsan*) echo "sanitizers need much memory" >&2; exit 77 ;; esac
export OPENBLAS_NUM_THREADS=1
le32() { printf "\\x$(printf %02x $(($1 & 255)))\\x$(printf %02x $(($1 >> 8 & 255)))\\x$(printf %02x $(($1 >> 16 & 255)))\\x00"; }
text() { printf X; le32 ${#1}; printf %s "$1"; }
many() { local all; printf -v all "%$2s"; printf %s "${all// /$1}"; }
repeat() { printf "%.0s$1" $(seq "$2"); } # of instructions that have NUL
checkpoint() { # a file of torch.save() before 1.6 whose "args" are what stdin makes
  printf '\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.\x80\x02M\xe9\x03.\x80\x02}(%s\x88u.\x80\x02}(' "$(printf 'U\x0dlittle_endian')"
  text args; cat; text model; printf '}u.\x80\x02](e.'
}
import() { # bounded to 128 MiB beside what the program needs to begin; its message
  (ulimit -v $((base + 131072)); timeout 60 tt-import -q -o model.tt "$@" 2>&1); echo "  exit status $?"
}
for base in 50000 75000 100000 125000 150000 200000 300000 400000; do
  (ulimit -v $base; timeout 20 tt-import --version >/dev/null 2>&1) && break
done
{ printf '](('; many N 100000; printf 'tr\x01\0\0\0'; repeat 'cos\nx\nj\x01\0\0\0\x81' 1000; printf e; } | checkpoint >objects.pt
import objects.pt
{ printf ']('; text "$(many a 100000)"; printf 'q\x01('; repeat 'h\x01' 20000; printf te; } | checkpoint >texts.pt
import texts.pt
{ printf ']('; text "$(many a 100000)"; printf 'q\x01'; text b; printf 'q\x02'; repeat 'h\x01h\x02\x93' 20000; printf e; } | checkpoint >names.pt
import names.pt
mkdir hf; echo '{"model_type": "marian"}' >hf/config.json
{ printf '{"__metadata__":{"a":""'; seq -f ',"%.0f":""' 3000000; printf '}}'; } | tr -d '\n' >header
{ le32 $(stat -c %s header) | head -c 3; printf "\\x$(printf %02x $(($(stat -c %s header) >> 24)))\0\0\0\0"; cat header; } >hf/model.safetensors
import hf
# Names that come from within a file are cut.
rm hf/model.safetensors; echo "{\"weight_map\": {\"a\": \"$(many x 5000)\"}}" >hf/model.safetensors.index.json
import hf
echo "models: [$(many y 5000)]" >hf/decoder.yml
import --from marian hf
# A stack that is too small is said.
(ulimit -s 64; tt-import -o model.tt hf 2>&1); echo "  exit status $?"
