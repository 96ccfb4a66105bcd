# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# A value change dump in a file, with fields and pairs, and the save file beside it; the same to a pipe.
exec 2>&1
cp "$CASES/bus.txt" bus.proto
cat >>bus.proto <<'END'
pair read: REQ_READ -> ANS_DATA by id;
pair write: REQ_WRITE -> ANS_OK by id;
END
cat >a.bt <<'END'
10 core@0=0x0311
12 core@0=0x0012
15 core@0=0x2003 mem=0x3011
35 !lost ?
36 mem=0x3012
END
shown() {
	sed 's/libnfart [0-9.]*/libnfart VERSION/; s/^  *$/(spaces)/' "$@"
}
run="$NFARUN -q -p ./bus.proto -t vcd"
echo '== a file'
$run --clock 100M -o a.vcd a.bt
shown a.vcd
echo '== its save file'
cat a.gtkw
echo '== a pipe'
$run a.bt | cat >piped.vcd
shown piped.vcd
