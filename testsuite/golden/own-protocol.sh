# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Questions about binary traces that say with which protocol they were made.
exec 2>&1
cat >bus.proto <<'END'
protocol bus;
header 16; opcode 12..15; address 4..7 line 64;
groups core, mem;
types REQ from core { READ 0 address; }
types ANS from mem { DATA 3 address; }
pair read: REQ_READ -> ANS_DATA by line;
END
printf '10 core=0x0010\n14 mem=0x3010\n' | $NFARUN -q -p ./bus.proto -t compact -o bus.nft
$NFARUN -q -I . --latency bus.nft
$NFARUN -q --latency bus.nft
echo "exit code $?"
$NFARUN -q --latency <bus.nft
echo '1 heap.MEM_MALLOC:0x1
5 heap.MEM_FREE:0x1' | $NFARUN -q -p mem -t compact -o mem.nft
$NFARUN -q --latency mem.nft
$NFARUN --count mem.nft
