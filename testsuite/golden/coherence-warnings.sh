# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# What is written in rules of coherence without effect: values, rules and messages that no run reaches, and
# what is set twice. The shipped descriptions have nothing of that kind.
exec 2>&1
cat >rules.coh <<'END'
protocol eci;
checker c;
node cpu: p = - asked gone, q = 0 1;
node fpga: r = - owed lost;
tap at cpu;
tap at fpga;
flight cpu 3;
flight cpu 2;
start known;
start known;
cpu: p=- ! R12, R13 : p=asked p=asked;
cpu: p=asked ? RA2, RA3 : q=1 p=gone p=-;
cpu: p=gone ? RA3 : p=-;
cpu: q=1 : q=0 q=1;
cpu: q=1 : q=0;
cpu: p=gone : p=-;
fpga: r=- ? R12, R13 : r=owed;
fpga: r=owed ! RA2 : r=-;
fpga: r=owed ? R12, R13;
END
cat >tables.coh <<'END'
protocol eci;
checker c;
variable home: I, S, M;
variable remote: I, S, M;
legal I I, S S, I S;
message R12, R13: remote = I -> remote = S;
message R23: remote = S -> remote = M;
message RA2: home = I home = S -> any;
END
for file in rules tables; do
	$NFACC --overlay none -Wno-checker-lines -Wno-checker-order --check $file.coh
	$NFACC --overlay none -Wno-checker-lines -Wno-checker-order \
		-Werror=unreached -Wno-doubled-setting --check \
		$file.coh >/dev/null 2>&1
	echo "exit code $?"
done
for file in coherence/eci coherence/moesi-tables tilelink/tilelink snoop/snoop; do
	$NFACC -I "$SRCDIR/examples/tilelink" -I "$SRCDIR/examples/snoop" --overlay none -Wno-checker-lines \
		-Wno-checker-order -Wno-bounded \
		--check "$SRCDIR/examples/$file.coh"
done
