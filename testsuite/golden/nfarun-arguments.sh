# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# The error must say that a filter was given instead of its image, or image and trace in the wrong
# order.
exec 2>&1
echo 'filter f = true* R12;' >x.re
printf '/* a filter */ // with comments\n\nlet r = R12;\nfilter f = true* r;\n' >named-otherwise
echo 'letter' >text
echo 'a: b' >x.yaml
echo '1 cpu.MREQ_RLDI@6' >x.bt
$NFACC --overlay none x.re -o x.bin
tell() {
	echo "nfarun $*"
	$NFARUN -q "$@" </dev/null
	echo "exit code $?"
}
tell x.re
tell x.re x.bt
tell named-otherwise x.bt
tell x.yaml x.bt
tell x.bt x.bin
tell x.re x.bin
tell --inspect x.re
tell --swap 3 x.re x.bin x.bt
tell text x.bt
tell x.bt x.re
tell x.bin x.bt
