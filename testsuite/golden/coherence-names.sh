# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# A protocol may have names that a derived checker would give to its states and predicates. The checker
# then takes other names, and accepts the same.
exec 2>&1
cat >bus.proto <<'END'
protocol bus;
header 16; opcode 12..15; address 4..7 line 64;
groups b1, mem;
types T from b1 { s11 1 address; c_error 2 address; }
types U from mem { X 3 address; Y 4 address; c_b0_unknown 5 address; }
event b0 from b1 = T_s11;
event error from b1 = T_c_error;
event unknown from mem = U_X;
event c_b0 from mem = U_Y;
event c_b0_unknown from mem = U_c_b0_unknown;
END
cat >rules.coh <<'END'
protocol bus;
checker c;
node b1: v = 0 1;
node mem: w = 0 1;
tap at b1;
b1: v=0 ! b0 : v=1;
b1: v=1 ? unknown, c_b0 : v=0;
mem: w=0 ? b0 : w=1;
mem: w=1 ! unknown, c_b0 : w=0;
END
cat >tables.coh <<'END'
protocol bus;
checker c;
variable v: x, y;
legal x, y;
message b0, c_b0_unknown: v=x -> v=y;
message unknown: v=y -> v=x;
END
printf '%s\n' '1 b1=0x1010' '2 mem=0x3010' '3 b1=0x1010' '4 b1=0x1010' >trace.bt
for file in rules tables; do
	for form in any only; do
		echo "$file, $form"
		$NFACC -I . -Wno-checker-order --overlay none --substream 0,1024 --form=$form $file.coh -o $file.bin
		$NFARUN -q $file.bin trace.bt
	done
	for restart in anew never; do
		$NFACC -I . -Wno-checker-order --emit=re --restart=$restart --project b0,unknown $file.coh
	done
done
# The checker's own name is the user's.
sed 's/checker c/checker b0/' rules.coh >named.coh
$NFACC -I . -Wno-checker-order --overlay none --check named.coh
echo "exit code $?"
sed 's/checker c/checker filter/' rules.coh >named.coh
$NFACC -I . -Wno-checker-order --overlay none --check named.coh
echo "exit code $?"
