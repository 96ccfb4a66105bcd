# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# The form `states`: a machine whose states are those of the system. It is made, with a warning, where an observer can
# know too much for the other forms; an overlay can't have it, and what can be done is said. With too many silent moves it
# takes too long.
exec 2>&1
cat >rules.coh <<'END'
protocol eci;
checker answers;
node cpu: p = - asked again;
node fpga: r = - owed;
tap at fpga;
cpu: p=- ! R12, R13 : p=asked;
cpu: p=asked ? RA2, RA3 : p=-;
cpu: p=asked : p=again;
cpu: p=again : p=asked;
fpga: r=- ? R12, R13 : r=owed;
fpga: r=owed ! RA2, RA3 : r=-;
END
quiet='-Wno-checker-lines -Wno-checker-order'
$NFACC --overlay none $quiet --form=states --emit=re rules.coh
echo "--- restart=never, and one event"
$NFACC --overlay none $quiet --form=states --restart=never --project R12 --emit=re rules.coh
echo '--- the same is found'
for form in any only states; do
	$NFACC --overlay none $quiet --form=$form rules.coh -o $form.bin
	$NFARUN -q $form.bin - <<'END'
1 fpga.MRSP_PSHA@4:0x80
2 fpga.MRSP_PSHA@4:0x80
3 cpu.MREQ_RLDI@6:0x80
4 cpu.MREQ_RLDI@6:0x80
5 fpga.MRSP_PSHA@4:0x80
END
done
echo '--- more sets than allowed: V21 comes seven messages after some R13'
cat >many.coh <<'END'
protocol eci;
checker many;
node cpu: n = 0 1 2 3 4 5 6;
node fpga: r = -;
tap at cpu;
flight cpu 1;
cpu: n=0 ! R12, R13;
cpu: n=0 ! R13 : n=1;
cpu: n=6 ! V21 : n=0;
fpga: ? R12, R13, V21;
END
for n in 1 2 3 4 5; do echo "cpu: n=$n ! R12, R13 : n=$((n + 1));"; done >>many.coh
quiet="$quiet -Wno-flight"
for options in '--overlay none' '--overlay none --form=only' ''; do
	$NFACC $options $quiet --checker-states 40 --emit=re many.coh | grep -v -e '->' -e 'state q'
done
sed 's/^checker.*/&\nstart known;/' many.coh >known.coh
$NFACC --overlay none $quiet --checker-states 40 --check known.coh
echo '--- not for overlays, nor with a known start'
$NFACC $quiet --form=states --check rules.coh
echo "exit code $?"
sed 's/^checker.*/&\nstart known;/' rules.coh >known.coh
$NFACC --overlay none $quiet --form=states --check known.coh
echo "exit code $?"
echo '--- each of 1,024 states that a message leads to has the silent moves of 16,384'
values='0 1 2 3 4 5 6 7'
many="$values a0 a1 a2 a3 a4 a5 a6 a7 b0 b1 b2 b3 b4 b5 b6 b7 c0 c1 c2 c3 c4 c5 c6 c7"
steps() {
	v=$1
	shift
	from=$1
	for to in "$@"; do
		[ "$to" = "$from" ] || echo "cpu: $v=$from : $v=$to;"
		from=$to
	done
	echo "cpu: $v=$from : $v=$1;"
}
cat >silent.coh <<END
protocol eci;
checker silent;
node cpu: x = $values, y = $many, z = $many;
node fpga: r = -;
tap at cpu;
flight cpu 1;
cpu: x=0 ! R12;
fpga: ? R12;
END
# shellcheck disable=SC2086
{ steps x $values; steps y $many; steps z $many; } >>silent.coh
$NFACC --overlay none $quiet --form=states --check silent.coh
echo "exit code $?"
