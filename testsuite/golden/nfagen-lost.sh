# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# nfagen must not sum up a trace that it could not write: small ones fail only when they are closed.
exec 2>&1
for model in coherence busy blocks; do
	for length in 3 200000; do
		$NFAGEN --model $model -n $length >/dev/full
		echo "exit code $?"
	done
done
$NFAGEN --model misses >/dev/full
echo "exit code $?"
$NFAGEN -n 200 --fault lost-ack --seed 1 >/dev/full
echo "exit code $?"
