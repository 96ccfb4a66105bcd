# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# --count in each form that -t names.
exec 2>&1
printf 'substream cl from 0 count 4;\nfilter r = true* R12;\nautomaton a { state s start; state t accept(odd); s -> t : R13; }\n' >a.re
$NFACC a.re -o a.bin
cat >t.bt <<'.'
1 cpu.MREQ_RLDI@6:0x80 cpu.MREQ_RLDD@7:0x0
2 cpu.MREQ_RLDI@6:0x80
3 !lost 5
4 cpu.MREQ_RLDD@6:0x180
.
sed 's/lost 5/lost ?/' t.bt >unknown.bt
for form in text json csv records; do
	echo "-t $form"
	$NFARUN --count -t $form a.bin t.bt
	echo "exit code $?"
	$NFARUN -q --count --by line -t $form a.bin t.bt
done
$NFARUN --count -t json a.bin unknown.bt
$NFARUN --count -t csv a.bin unknown.bt | grep lost
