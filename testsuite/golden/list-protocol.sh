# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# --list PROTOCOL prints fields, slots, types and events, of shipped protocols and of others.
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
$NFACC -I . --list odd
$NFACC --list bytes
$NFACC --list eci | grep -e field -e RLDD -e R12
$NFACC --list eci-coherence -o list.txt && wc -l <list.txt
for wrong in no-such './odd' 'bytes eci'; do
	$NFACC --list $wrong
	echo "exit code $?"
done
