# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# An output that is one of the inputs, by whatever name, is wrong use. The input must stay as it
# was.
exec 2>&1
echo 'filter f = true* R12;' >x.re
$NFACC --overlay none x.re -o x.bin
cp x.bin y.bin
echo '7 cpu.MREQ_RLDD@6:0x8080' >t.bt
echo '{ "sources": {} }' >m.json
$NFARUN -q -t compact x.bin t.bt -o t.nft
$NFARUN --shard 0/1 x.bin t.nft -o s0
ln -s t.bt soft.bt
ln t.bt hard.bt
cksum ./* >../before; mv ../before .
refused() {
	echo "nfarun $*"
	$NFARUN "$@"
	echo "exit code $?"
}
refused -o t.bt x.bin t.bt
refused -o x.bin x.bin t.bt
refused -o soft.bt x.bin t.bt
refused -o hard.bt x.bin t.bt
refused -o t.bt x.bin <t.bt
refused -o y.bin x.bin --swap 2 y.bin t.bt
refused --map m.json -o m.json x.bin t.bt
refused --explain first -o t.bt x.bin t.bt
refused --inspect -o x.bin x.bin
refused --count -o t.bt x.bin t.bt
refused --shard 0/1 -o t.nft x.bin t.nft
refused --merge -o s0 x.bin t.nft s0
refused --engine rtl --vcd t.bt x.bin t.bt
echo 'standard output is an input'
$NFARUN -q x.bin t.bt >>t.bt
echo "exit code $?"
echo 'nothing is overwritten here'
$NFARUN -q --inspect x.bin <t.bt >inspected && $NFARUN -q -o /dev/null x.bin t.bt && rm inspected
echo "exit code $?"
cksum ./[!b]* | diff - before && echo unchanged
