#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# virtual.sh: what the front end for virtual addresses sees of an edge detector, and what that
# costs. The detector is examples/virtual/canny.c under valgrind. With gnuplot it draws
# virtual-functions.png, virtual-pages.png and virtual-overhead.png. It runs in the build folder.
set -eu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
command -v valgrind >/dev/null || { echo 'valgrind is not installed'; exit 0; }
${CC:-cc} -O2 -no-pie -o "$tmp/canny" "$SRCDIR/examples/virtual/canny.c"
valgrind --tool=lackey --trace-mem=yes --log-file="$tmp/trace" "$tmp/canny" 64 36 5 >/dev/null
# The program's own pages: its text, its data and what it allocates.
small='--cache 8 --range 0x400000-0x10000000'
echo "canny of 64 x 36 pixels, 5 runs; second level 8 KiB"
for extra in "" "--as-published" "--migrate 2000" "--migrate 2000 --as-published" \
	"--migrate 500 --move 1000 --latency 4"; do
	# shellcheck disable=SC2086
	./nfavirt "$tmp/trace" $small $extra >"$tmp/counts"
	awk -v how="${extra:-as it is}" '
		/^annotated right/ { right = $NF }
		/^annotated wrong|^annotated, of/ { wrong += $NF }
		/^missed/ { missed = $NF }
		/^counted/ { counted = $NF }
		END { printf "%-40s right %6d, wrong %6d, missed %6d of %d counted\n", how, right, wrong, missed,
			counted }' "$tmp/counts"
done
echo
echo 'overhead, second level 1 MiB'
./nfavirt "$tmp/trace" --elf "$tmp/canny" --emit=overhead --observe thin --observe follow \
	--observe main | tee "$tmp/overhead"
echo
echo 'overhead, second level 8 KiB'
# shellcheck disable=SC2086
./nfavirt "$tmp/trace" --elf "$tmp/canny" $small --emit=overhead --observe thin --observe follow \
	--observe main | tee "$tmp/overhead-small"
echo
echo 'storms: entries of the reverse TLB, TLB invalidations for each 1,000 accesses'
for entries in 512 64 16 4; do
	./nfavirt -n 50000 --entries $entries 2>"$tmp/warning" >"$tmp/counts"
	awk -v n=$entries -v w="$(grep -c warning "$tmp/warning" || :)" '
		/^accesses/ { accesses = $NF }
		/^TLB invalidations  *[0-9]/ { tlbi = $NF }
		/^missed/ { missed = $NF }
		END { printf "%4d %10.1f%s, missed %d\n", n, 1000 * tlbi / accesses, (w > 0 ? "  (warned)" : ""), missed }' \
		"$tmp/counts"
done
command -v gnuplot >/dev/null || { echo 'gnuplot is not installed: no pictures'; exit 0; }
# shellcheck disable=SC2086
./nfavirt "$tmp/trace" --elf "$tmp/canny" $small --emit=snoops >"$tmp/snoops"
awk '$2 == "clean" && $NF ~ /^(main|draw|blur_rows|blur_columns|gradients|thin|thresholds|follow)$/ {
	print $1, $NF }' "$tmp/snoops" >"$tmp/functions"
# From the program's beginning on: before it the loader runs. Pages that are read once or twice are
# left out.
awk '$NF == "draw" { begun = 1 }
	begun && $2 != "clean" && $4 ~ /^0x/ {
		page = substr($4, 1, length($4) - 3)
		n[page]++
		line[++lines] = $1 " " page
	}
	END { for (i = 1; i <= lines; i++) { split(line[i], f, " "); if (n[f[2]] > 20) print line[i] } }' \
	"$tmp/snoops" >"$tmp/pages"
# The columns of the table that are numbers; what is left is the name.
awk 'NR > 1 { name = $1; for (i = 2; i <= NF - 7; i++) name = name " " $i
	sub(/tracing, as published/, "as published", name)
	printf "\"%s\" %s %s %s %s\n", name, $(NF - 6), $(NF - 5), $(NF - 4), $(NF - 3) }' \
	"$tmp/overhead-small" >"$tmp/bars"
gnuplot -e "folder='$tmp'" "$SRCDIR/probes/virtual/bench/virtual.gp"
echo virtual-functions.png virtual-pages.png virtual-overhead.png
