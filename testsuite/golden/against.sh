# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Two traces side by side: alike, and with other traffic.
exec 2>&1
$NFAGEN -q -n 3000 --seed 1 -f compact -o a.nft
$NFAGEN -q -n 3000 --seed 2 -f compact -o b.nft
$NFAGEN -q -n 3000 --seed 3 --rate 0.3 --fault never-completed@50% -f compact -o c.nft
for question in --latency '--latency --by group' --open '--rate 1000' '--count --by group'; do
	for other in b c; do
		echo "== $question, a and $other"
		$NFARUN ask $question --against a.nft $other.nft
	done
done
echo '== csv, json'
$NFARUN ask -q --latency --by type --against a.nft -t csv c.nft | head -n 3
$NFARUN ask -q --count --against a.nft -t json c.nft | head -n 2
echo '== a trace with itself, and a short one'
$NFARUN ask -q --latency --against a.nft a.nft
$NFAGEN -q -n 8 -f compact -o short.nft
$NFARUN ask -q --count --against a.nft <short.nft
$NFARUN --rate 10 --against a.nft -q short.nft
echo '== wrong use'
for wrong in '--in-flight' '--latency --by line' '--latency --histogram' '--open b.nft' '--open -o a.nft' \
	'--open --against -' '--count --by pair'; do
	$NFARUN ask --against a.nft $wrong c.nft </dev/null
	echo "exit code $? of $wrong"
done
$NFARUN ask --open --against nosuch.nft a.nft
echo "exit code $?"
$NFARUN run --against a.nft b.nft
