#!/bin/sh
# Writes a C source that holds files as bytes: embed.sh SYMBOL FILE... > out.c
# Each becomes one row {path, bytes, size} of `const EmbeddedFile SYMBOL[]`, which ends with a
# NULL path. A NUL follows the bytes of each file, so that text can be used as a string.
set -eu
symbol=$1
shift
echo '#include <stddef.h>'
echo 'typedef struct { const char *path; const unsigned char *bytes; size_t size; } EmbeddedFile;'
echo "extern const EmbeddedFile ${symbol}[];"
count=0
for file in "$@"; do
    printf 'static const unsigned char file_%d[] = {' "$count"
    od -An -v -tu1 "$file" | tr -s ' \n' ',' | sed 's/^,//; s/,$//'
    echo ',0};'
    count=$((count + 1))
done
echo "const EmbeddedFile ${symbol}[] = {"
count=0
for file in "$@"; do
    printf '{"%s", file_%d, sizeof(file_%d) - 1},\n' "$file" "$count" "$count"
    count=$((count + 1))
done
echo '{NULL, NULL, 0}};'
