# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# A home is told by a field that reads have with two bits, and data with four. A value that a read can't have says
# nothing of it, a range ends where the field ends, and the address of line 0x40 is for no home but its own.
exec 2>&1
cat >w.proto <<'EOF'
protocol w;
header 32; opcode 28..31; idle 15; address 0..9 line 64;
groups a, b;
channels 0..0;
types R from a { READ 1 address; DONE 2 address; }
types H from b { GO 4 address; }
field w 18..19 of R_READ;
field w 18..21 of R_DONE;
event read from a = R_READ; event done from a = R_DONE; event go from b = H_GO;
EOF
for messages in 'w == 9' 'w in 2..9' 'w != 9' 'w \& 8 == 8' 'w \& 8 == 0'; do
	cat <<'EOF' | sed "s/MESSAGES/$messages/" >w.coh
protocol w;
checker c;
node a: s = - asked owed;
node b: q = - owes;
home h [addr & 0x40 == 0]: any[MESSAGES];
a: s=- ! read: s=asked;
a: s=asked ? go: s=owed;
a: s=owed ! done: s=-;
b: q=- ? read: q=owes;
b: q=owes ! go: q=-;
b: ? done:;
EOF
	echo "$messages:"
	"$NFACC" -I . --overlay none -Wno-checker-order -Wno-flight --emit=re w.coh | grep 'let c_\(read\|done\|h\) '
	"$NFACC" -I . --overlay none -Wno-checker-order -Wno-flight --substream 0,16 w.coh -o w.bin
	# Line 0x40: READ with w = 3, the answer, and DONE with w = 9. Line 0: the same.
	printf '%s\n' '10 a@0=0x100c0001' '20 b@0=0x40000001' '30 a@0=0x20240001' '40 a@0=0x100c0000' \
		'50 b@0=0x40000000' '60 a@0=0x20240000' >w.bt
	"$NFARUN" -q --lines w.bin w.bt
done
