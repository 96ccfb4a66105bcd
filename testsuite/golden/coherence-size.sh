# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Rules with too many states: the message names the place and the part that multiplies them, and what helps.
exec 2>&1
cat >rules.coh <<'END'
protocol eci;
checker large;
node cpu: c = I S M, p = - R12 R13 R23, a = - A11;
node fpga: h = I S M, r = - R12 R13 R23, f = - wait;
tap between;
flight cpu 5; flight fpga 5;
group R = R12, R13, R23, RA2;
cpu: c=I p=- ! R12 : p=R12;
cpu: c=I p=- ! R13 : p=R13;
cpu: c=S p=- ! R23 : p=R23;
cpu: c=S ! V21 : c=I;
cpu: c=M ! V31 : c=I;
cpu: c=M ! V32 : c=S;
cpu: p=R12|R13 ? RA2 : c=S p=-;
cpu: p=R13|R23 ? RA3 : c=M p=-;
cpu: ? F21, F31, F32 : a=A11;
cpu: a=A11 ! A11, A21, A22 : a=-;
cpu: ? RA2, RA3;
fpga: ? R12 : r=R12;
fpga: ? R13 : r=R13;
fpga: ? R23 : r=R23;
fpga: ? V21, V31, V32 : h=I;
fpga: ? A11, A21, A22 : h=I f=-;
fpga: r=R12|R13 ! RA2 : h=S r=-;
fpga: r=R13|R23 ! RA3 : h=M r=-;
fpga: f=- ! F21, F31, F32 : f=wait;
END
compile() {
	$NFACC --overlay none -Wno-checker-lines -Wno-checker-order -Wno-flight --check "$@"
	echo "exit code $?"
}
compile rules.coh
# An overlay needs all that an observer can know, so it is given up.
$NFACC -Wno-checker-lines -Wno-checker-order -Wno-flight --check rules.coh
echo "exit code $?"
compile --form=states rules.coh
sed 's/flight.*/flight cpu 8; flight fpga 8;/' rules.coh >more.coh
compile more.coh
# From here on for an overlay, which needs the states listed.
compile() {
	$NFACC -Wno-checker-lines -Wno-checker-order -Wno-flight --check "$@"
	echo "exit code $?"
}
compile more.coh
# Rules that never move take their time, too: the limit is one of rules that are tried.
{ sed 's/a = - A11/&, z = 0 1/' more.coh; for _ in 1 2 3 4 5 6 7 8; do echo 'cpu: z=1 : z=0; cpu: z=1 ! V21; cpu: z=1 ! V31;'; done; } >tried.coh
compile tried.coh
compile --checker-states 5000 rules.coh
# Without `flight` the first rule is the place of the messages under way.
grep -v flight rules.coh >unsaid.coh
compile --checker-states 5000 unsaid.coh
# A variable that nothing tests: it doubles what the observer can't know.
sed 's/flight.*/flight cpu 1; flight fpga 1;/; s/a = - A11/a = - A11, z = 0 1 2 3 4 5 6 7/' rules.coh >variable.coh
for from in 0 1 2 3 4 5 6; do echo "cpu: z=$from : z=$((from + 1));"; done >>variable.coh
compile --checker-states 500 variable.coh
# Fewer states than the limit: no message.
sed 's/flight.*/flight cpu 1; flight fpga 1;/' rules.coh >small.coh
$NFACC --overlay none -Wno-checker-lines -Wno-checker-order -Wno-flight --check small.coh
echo "exit code $?"
for n in 0 16777217 x; do
	$NFACC -Wno-checker-order --checker-states "$n" --check small.coh 2>&1 | head -n 1
done
