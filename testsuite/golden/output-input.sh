# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# An output that is one of the inputs, by whatever name, is wrong use. The input must stay as it
# was.
exec 2>&1
mkdir d
echo 'filter f = true* R12;' >x.re
printf 'protocol tiny;\nheader 8;\nopcode 0..7;\ngroups g;\ntypes T { A 1; }\n' >d/tiny.proto
echo 'protocol tiny; filter f = true* T_A;' >tiny.re
$NFACC --emit=overlay -o small.ov
echo '2 3 1 0 2 1  0 1' >x.g
ln -s x.re soft.re
ln x.re hard.re
$NFACC --overlay none x.re -o x.bin
cksum ./*.* d/* >before
refused() {
	echo "nfacc $*"
	$NFACC "$@"
	echo "exit code $?"
}
refused -o x.re x.re
refused -o ./x.re x.re
refused -o soft.re x.re
refused -o hard.re x.re
refused -o x.re soft.re
refused -o x.re tiny.re x.re -I d
refused -o x.re - <x.re
refused --fit -o x.re x.re
refused -I d -o d/tiny.proto tiny.re
refused -I d --fit -o d/tiny.proto tiny.re
refused -I d --protocol tiny --emit=verilog -o d/tiny.proto
refused --overlay ./small.ov -o small.ov x.re
refused --overlay ./small.ov -o small.ov --emit=overlay
refused --inspect x.bin -o x.bin
refused --map-graph x.g -o x.g
echo 'standard output is an input'
$NFACC --emit=ast x.re >>x.re
echo "exit code $?"
echo 'nothing is overwritten here'
$NFACC --check -o x.re x.re && $NFACC -I d -o /dev/null tiny.re && $NFACC -o new.bin x.re
echo "exit code $?"
rm new.bin
cksum ./*.* d/* | diff before - && echo unchanged
