# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# --list PROTOCOL prints fields, slots, types, events and pairs, of shipped protocols and of others.
exec 2>&1
cat >odd.proto <<'EOF'
protocol odd;
header 41;
opcode 3..7;
address 11..33 line 4;
idle 30;
groups a, b;
channels 0..2;
types T on 0, 1, 2 { A 1 address; B 2 from b on 1; }
types U on 2 { C 5 from a; }
event E from a = T_A, U_C;
EOF
cat >mixed.proto <<'EOF'
protocol mixed;
header 16;
opcode 12..15;
groups a 0..1, b, c 5, d;
channels 3..4;
types T on 1, 3, 5 { A 1; B 2 on 5 broadcast; }
types U from d { C 3; }
event E from c = T_A, T_B;
field every 0..11;
field part 4..7 of T_A;
field part 11 of U, T_B;
pair other: U -> T_* by part, every;
pair same: T_A -> T_B by part;
EOF
cat >cut.proto <<'EOF'
protocol cut extends mixed;
channels 9;
EOF
$NFACC -I . --list odd
$NFACC -I . --list mixed
$NFACC -I . --list cut
$NFACC --list bytes
$NFACC --list eci | grep -e field -e RLDD -e R12
$NFACC --list eci-coherence -o list.txt && wc -l <list.txt
for wrong in no-such './odd' 'bytes eci'; do
	$NFACC --list $wrong
	echo "exit code $?"
done
