# $ sh $SELF
# Explanations of ticks, the end, broadcast types and long gaps.
E=$SRCDIR/examples
for x in slow unanswered trigger watchdog; do
	$NFACC -I "$E/trigger" --overlay none --source "$E/$x/$x.re" -o $x
done
. "$CASES/why.txt"
why slow 200 --label waiting
why slow 150 --label slow
why slow 151
why slow 200 --label waiting --tick 100
why unanswered first
why trigger first
why trigger 61 --substream 0x1180,2
why watchdog 6000 --until 9000
why watchdog 5500 --until 9000
why watchdog 9500 --until 9000

# Ticks of a gap in which nothing changes are left out.
cat >gap.re <<F
tick 10; substream rreqid from 1 count 20;
filter waits = true* R12 tick !RA2* RA2;
filter never = R12 !RA2* end;
F
$NFACC -Wno-anchored --overlay none gap.re -o gap
{
	echo '1 cpu@6=0x0804000000000080'
	echo '1000000000000000009 fpga@4=0x4804000000000080'
} >gap.bt
for x in first '1000000000000000000 --label waits' '1000000000000000010 --label never'; do
	echo
	echo "gap $x"
	$NFARUN --until 3000000000000000000 --explain $x gap gap.bt || echo "exit code $?"
done

# The batches that are explained are those that a run outputs, with losses and gaps, too.
cat >same.re <<F
tick 37; substream cl from 0x8080 count 3;
let quiet = None(RA2, RA3, tick)* None(RA2, RA3, notick);
filter w = true* Any(R12, R13, R23) quiet{2};
filter t = tick !tick* tick tick;
filter e = true* Any(R12, R13, R23) None(RA2, RA3)* end;
filter x = true* Any(R12, R13, tick) Any(end, tick);
F
$NFACC -Wno-anchored --overlay none same.re -o same
echo
for seed in 1 2 3; do
	$NFAGEN -q -n 60 --lines 4 --seed $seed --fault lost-samples@30% \
		--fault lost-samples@31% --fault lost-samples@80% -o same.bt 2>/dev/null
	for how in --quiet '--on-loss reset' '--until 30000' '--tick 11' '--substream 0x8100,1'; do
		$NFARUN -q $how same same.bt | grep -v '!lost' >run
		$NFARUN --explain all $how same same.bt | grep '^[0-9]* \[' >explained
		cmp run explained && echo "seed $seed, $how: $(wc -l <run) batches"
	done
done

# Of many copies that do not accept, the first are explained.
echo
for line in 0 1 2 3 4 5 6 7 8 9 a; do
	echo "$((0x$line + 1)) core.REQ_READ@0:0x1${line}00"
done >many.bt
echo '20 pin.PIN_FALL' >>many.bt
$NFARUN --explain 20 trigger many.bt | grep -e '^not accepted' -e copies
