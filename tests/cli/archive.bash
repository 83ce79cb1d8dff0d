# archive FOLDER: a zip archive of its files, stored.
archive() {
  local file size crc at=0 count=0
  : >directory
  le() { local i; for ((i = 0; i < $2; i++)); do printf "\\x$(printf %02x $(($1 >> (8 * i) & 255)))"; done; }
  while read -r file; do
    size=$(stat -c %s "$file")
    crc=$(gzip -c "$file" | tail -c 8 | head -c 4 | od -A n -t u4 | tr -d ' ')
    { le 20 2; le 0 2; le 0 2; le 0 4; le "$crc" 4; le "$size" 4; le "$size" 4; le ${#file} 2; le 0 2; } >common
    { printf 'PK\3\4'; cat common; printf %s "$file"; cat "$file"; }
    { printf 'PK\1\2'; le 20 2; cat common; le 0 2; le 0 2; le 0 2; le 0 4; le $at 4; printf %s "$file"; } >>directory
    at=$((at + 30 + ${#file} + size)); count=$((count + 1))
  done < <(find "$1" -type f | sort)
  cat directory; printf 'PK\5\6'; le 0 4; le $count 2; le $count 2; le "$(stat -c %s directory)" 4; le $at 4; le 0 2
}
