# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# If output is lost the tool must fail, whichever tool it is and whatever it does.
exec 2>&1
lost() {
	"$@" >/dev/full
	echo "exit code $?"
}
for tool in "$NFACC" "$NFARUN" "$NFAGEN"; do
	for option in --version --help; do
		echo "$(basename "$tool") $option"
		lost "$tool" "$option"
		"$tool" "$option" >&-
		echo "closed: exit code $?"
	done
done
echo 'filter f = true* R12;' >x.re
echo 'filter f = true*;' >y.re
echo '2 3 1 0 2 1  0 1' >x.g
for arguments in --list '--list eci' '--fit x.re' '--emit=ast x.re' '--emit=overlay' '--equal x.re y.re' \
	'--map-graph x.g'; do
	echo "nfacc $arguments"
	lost $NFACC $arguments
done
echo 'nfacc --fit x.re -o x.ov'
lost $NFACC --fit x.re -o x.ov
ls
$NFACC --overlay none x.re -o x.bin
echo '7 cpu.MREQ_RLDI@6:0x8080' >t.bt
for arguments in --inspect -q '-q -t compact' '-q --count' '-q --count -t json' '-q --explain first'; do
	echo "nfarun $arguments"
	lost $NFARUN $arguments x.bin t.bt
done
echo 'nfarun --explain first -o /dev/full'
$NFARUN --explain first -o /dev/full x.bin t.bt
echo "exit code $?"
echo nfagen
lost $NFAGEN -q
