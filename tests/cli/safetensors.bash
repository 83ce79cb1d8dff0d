# For tests of programs that read checkpoints: makes small ones byte by byte, without the programs under test.

# frame HEADER: a safetensors file on stdout with that header, and the data from stdin.
frame() {
  local header=$1 length i
  while (((${#header} + 8) % 8 != 0)); do header+=' '; done
  length=${#header}
  for ((i = 0; i < 8; i++)); do printf "\\x$(printf %02x $((length >> (8 * i) & 255)))"; done
  printf %s "$header"
  cat
}

# model FILE VALUE [D_MODEL [KEY TEXT]...]: a model of one tensor "w" [1], VALUE being 1, 2, 3 or 4.
model() {
  local file=$1 value=$2 width=${3:-8} bytes metadata
  local -A float=([1]='\x00\x00\x80\x3f' [2]='\x00\x00\x00\x40' [3]='\x00\x00\x40\x40' [4]='\x00\x00\x80\x40')
  bytes=${float[$value]}
  metadata="\"format\":\"tt-1\",\"kind\":\"model\",\"config\":\"{\\\"d_model\\\":$width}\""
  shift; shift; [ $# -eq 0 ] || shift
  while [ $# -gt 0 ]; do metadata+=",\"$1\":\"$2\""; shift 2; done
  printf "$bytes" | frame "{\"__metadata__\":{$metadata},\"w\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}" >"$file"
}

# value FILE: the number in the last four bytes, which is that of a model with one tensor.
value() { tail -c 4 "$1" | od -A n -t f4 | tr -d ' '; }
