# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Models of nfagen: what belongs to one of them is wrong use with the others, and the file of counts is
# there completely or not at all.
exec 2>&1
for o in '--model misses -n 5' '--model misses --busy' '--model misses --fault lost-ack' \
	'--lookups 5' '--model coherence --truth truth.csv' '--model hits' \
	'--model misses --flush 1.5' '--model misses --lookups 0' \
	'--model misses --base 0xfffffff600' '--model misses --truth -' \
	'--model misses --truth same.csv -o same.csv'; do
	echo "nfagen $o"
	$NFAGEN $o
	echo "exit code $?"
done
ls
$NFAGEN --model misses --lookups 1 --plain --truth truth.csv
head -n 1 truth.csv
grep -v ',0,0,0,0$' truth.csv | wc -l

# Without flushes there are no capacity misses; with a flush before every lookup
# each line that is accessed again misses for that reason.
$NFAGEN --model misses --lookups 20 --flush 0 --truth none.csv -o none.bt
$NFAGEN --model misses --lookups 20 --flush 1 --shared-loads --truth all.csv -o all.bt
grep -o MRSP_VICS all.bt | wc -l

# A trace that can't be written leaves no counts behind.
$NFAGEN -q --model misses --truth lost.csv >/dev/full
echo "exit code $?"
$NFAGEN -q --model misses --truth absent/lost.csv -o lost.bt
echo "exit code $?"
ls
