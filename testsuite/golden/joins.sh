# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Joins: how they are listed, also of a description that is laid out automatically and of one that
# leaves types out; threads, shards, swap and counts; what overlays say; damaged images.
exec 2>&1
cp "$SRCDIR"/examples/joins/* .
cat >auto.proto <<'EOF'
protocol auto;
opcode auto; address auto 40;
groups m, s;
types Q from m { GET address; PUT address; }
types A from s { OK; NO; }
field tag: 3 of Q, A;
field spare: 9 of Q;
join tags: A_OK, A_NO by tag;
EOF
cat >cut.proto <<'EOF'
protocol cut extends joins;
channels 0;
EOF
for p in joins auto cut; do
	$NFACC -I . --list $p | grep -e protocol -e join
done
$NFACC -I . --overlay none joins.re -o j.bin
$NFARUN -j 4 --lines j.bin joins.bt
echo 'protocol joins; filter f = true+;' | $NFACC -I . --overlay none - -o all.bin
$NFARUN -q --to compact -o joins.bc all.bin joins.bt
for i in 0 1 2; do
	$NFARUN -q --lines --shard $i/3 j.bin joins.bc -o s$i
done
$NFARUN -q --lines --merge j.bin joins.bc s0 s1 s2 | cmp - joins.out && echo merged
$NFARUN --swap 10 j.bin j.bin joins.bt
$NFARUN --count -t csv j.bin joins.bt | tail -n 3
$NFARUN --explain all j.bin joins.bt | head -n 8
$NFACC -I . --overlay default joins.re -o x.bin
sed 's/^lines 8;/lines 64; joins yes;/' "$SRCDIR"/overlays/default.ov >own.ov
$NFACC -I . --overlay ./own.ov --verify=full joins.re -o o.bin && $NFARUN -q --lines o.bin joins.bt
# A filter without substreams has no use for joins.
echo 'protocol joins; filter f = true* cpu.ANS_MISS;' | $NFACC -I . --overlay default - -o n.bin &&
	$NFARUN n.bin joins.bt | tail -n 1
