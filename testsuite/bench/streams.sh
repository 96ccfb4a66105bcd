#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# streams.sh: what the words of the blocks hold that the filter examples/blocks/blocks.re keeps of the model of
# 16 streaming cores (T figure 25b, table 3). With PLOT=1 it also draws two rounds of the model into
# bench-streams.svg (T figure 26). It runs in the build folder.
set -eu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
./nfacc --overlay guards "$SRCDIR/examples/blocks/blocks.re" -o "$tmp/blocks.bin"
./nfagen -q --model streams -f records | ./nfarun -q -t records "$tmp/blocks.bin" >"$tmp/kept"
./nfarun -q --count --by type -p eci-block -t csv "$tmp/kept" | awk -F, '
	{ n[$1] = $2 }
	function row(what, thesis, ours) {
		printf "%-52s %-12s %d\n", what, thesis, ours
		printf "%-52s %-12.3f %.3f\n", "  their share", thesis / 114338, ours / all
	}
	END {
		for (type in n)
			if (type ~ /^(WORD|DATA|MREQ|MRSP|MFWD)_/) all += n[type]
		printf "%-52s %-12s %s\n", "words of the blocks that are kept (table 3)", "thesis", "model"
		row("empty", 80543, n["WORD_EMPTY"])
		row("data of PEMD", 29713, n["DATA_MRSP"])
		row("headers of RLDD", 1830, n["MREQ_RLDD"])
		row("headers of PEMD", 1830, n["MRSP_PEMD"])
		row("GINV and GSYNC", 422, n["MREQ_GINV"] + n["MREQ_GSYNC"])
	}'
if [ -n "${PLOT:-}" ]; then
	./nfagen -q --model streams --rounds 2 -f records |
		./nfaplot -p eci-block --size 1200x900 -o bench-streams.svg scatter
	echo bench-streams.svg
fi
