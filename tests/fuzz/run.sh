#!/bin/sh
# Runs every fuzz target: run.sh replay PROGRAMS | run.sh fuzz PROGRAMS FOUND SECONDS
# replay: each file of tests/fuzz/corpus/NAME once (speaks TAP). fuzz: looks for new ones.
set -eu
what=$1
programs=$2
corpus=$(dirname "$0")/corpus
status=0
count=0
for program in "$programs"/fuzz_*; do
    [ -x "$program" ] || continue
    count=$((count + 1))
    name=${program##*/fuzz_}
    seeds=$corpus/$name
    if [ ! -d "$seeds" ] || [ -z "$(ls "$seeds")" ]; then
        echo "not ok $count - $name has no seeds in $seeds"
        status=1
        continue
    fi
    if [ "$what" = replay ]; then
        if output=$("$program" "$seeds"/* 2>&1); then
            echo "ok $count - $name: $(find "$seeds" -type f | wc -l) inputs"
        else
            echo "$output" | tail -60 | sed 's/^/# /'
            echo "not ok $count - $name"
            status=1
        fi
    else
        found=$3/$name
        mkdir -p "$found"
        echo "fuzzing $name for $4 seconds"
        "$program" -max_total_time="$4" -max_len=4096 -timeout=10 -artifact_prefix="$found/bad-" \
            -print_final_stats=1 "$found" "$seeds" || status=1
    fi
done
[ "$what" = fuzz ] || echo "1..$count"
exit $status
