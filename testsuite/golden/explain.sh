# $ sh $SELF
# Explanations of what the examples accept and of what they don't accept.
E=$SRCDIR/examples
for x in inflight misses hang stall hot; do
	$NFACC --overlay none --source "$E/$x/$x.re" -o $x
done
. "$CASES/why.txt"
why inflight first
why inflight 7923
why inflight 8000
why inflight 15439
why misses 254
why misses 915
why hang 3060 --label returned
why stall 1543
why stall 1170 --label log
why stall 1258 --label log
why hot first
why hot first --label nothing
echo
$NFARUN --explain all hot "$E/hot/hot.bt" | grep -c '^accepted'
