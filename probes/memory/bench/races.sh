#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# What nfamem, helgrind and gcc -fsanitize=thread say about the programs of tests/races: in how many
# of 5 runs each of them reports a race. Prints a table. Takes about a minute.
here=$SRCDIR/probes/memory/tests/races
nfamem=$BUILDDIR/nfamem
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
runs=5

# counts WANTED COMMAND...: how many runs end with this exit code.
counts() {
	wanted=$1
	shift
	n=0
	for _ in $(seq $runs); do
		timeout 60 "$@" >/dev/null 2>&1
		[ $? = "$wanted" ] && n=$((n + 1))
	done
	echo "$n"
}

echo '| program | nfamem | helgrind | -fsanitize=thread |'
echo '|---|---|---|---|'
for source in "$here"/*.c; do
	name=$(basename "$source" .c)
	gcc -O1 -g -w -pthread -fopenmp "$source" -o "$tmp/plain" || exit 1
	gcc -O1 -g -w -pthread -fopenmp -fsanitize=thread "$source" -o "$tmp/hooks" || exit 1
	echo "| $name | $(counts 9 "$nfamem" -q --check=race --error-exitcode=9 -- "$tmp/plain") |" \
		"$(counts 9 valgrind -q --tool=helgrind --error-exitcode=9 "$tmp/plain") |" \
		"$(counts 66 "$tmp/hooks") |"
done
