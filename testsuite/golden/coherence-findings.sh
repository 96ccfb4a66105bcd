# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# What nfarun says of errors by the rules that an image keeps, without --source.
exec 2>&1
cat >ask.coh <<'END'
protocol eci;
checker answers;
node cpu: p = - asked;
node fpga: r = - owed;
tap at fpga;
cpu:  p=-     ! R13 : p=asked;
cpu:  p=asked ? RA3 : p=-;
fpga: r=-     ? R13 : r=owed;
fpga: r=owed  ! RA3 : r=-;
END
cat >ask.bt <<'END'
10 cpu.MREQ_RLDD@6:0x8080
20 fpga.MRSP_PEMD@4:0x8080
30 fpga.MRSP_PEMD@4:0x8080
40 cpu.MREQ_RLDD@6:0x8080 fpga.MRSP_PEMD@4:0x8080
50 cpu.MREQ_RLDD@6:0x8080 cpu.MREQ_RLDX@7:0x8080
END
$NFACC --overlay none --substream 0x8080,8 ask.coh -Wno-checker-order -o ask.bin
$NFACC --overlay none -Wno-checker-order --substream 0x8080,8 --restart=never ask.coh -o never.bin
printf 'filter asked = MREQ_RLDD;\n' >plain.re
$NFACC --overlay none plain.re -o plain.bin
$NFACC --overlay none -Wno-checker-order --no-names --substream 0x8080,8 ask.coh -o bare.bin
for at in 10 20 30 40 50; do
	$NFARUN -q --explain $at ask.bin ask.bt
done
$NFARUN -q --explain all never.bin ask.bt
$NFARUN -q --explain first --emit=nodes ask.bin ask.bt
$NFARUN -q --explain 30 --emit=msc ask.bin ask.bt -o ask.svg
grep -c '<line' ask.svg
grep -o '>[^<>]*</text>' ask.svg
$NFARUN --count --by rule ask.bin ask.bt
$NFARUN -q --count --by rule -t csv ask.bin ask.bt
wrong() {
	"$@"
	echo "exit $?"
}
wrong $NFARUN -q --explain first --emit=msc plain.bin ask.bt
wrong $NFARUN -q --explain 5 --emit=msc ask.bin ask.bt
wrong $NFARUN -q --explain all --emit=msc ask.bin ask.bt
wrong $NFARUN -q --emit=msc ask.bin ask.bt
wrong $NFARUN -q --count --by rule plain.bin ask.bt
wrong $NFARUN -q --count --by rule -j 2 ask.bin ask.bt
wrong $NFARUN -q --count --by rule bare.bin ask.bt
# Nothing of a rule's text reaches a terminal as a command.
printf 'cpu: p=- /* \033[2J */ ! R13 : p=asked;\n' | sed -n 1p >bell
sed -e '/^cpu:  p=-/{r bell
d
}' ask.coh >bell.coh
$NFACC --overlay none --substream 0x8080,8 bell.coh -Wno-checker-order -o bell.bin
$NFARUN -q --count --by rule bell.bin ask.bt | sed -n 2p
