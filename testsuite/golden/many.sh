# $ sh $SELF
# Large files must end in an answer: many filters or many factors, on an overlay that is far too
# small. What the answer suggests is not compared.
try() {
	timeout 120 "$NFACC" "$@" >out 2>&1
	code=$?
	sed -n '/error/p' out
	echo "$*: exit code $code"
}
awk 'BEGIN {
	print "protocol bytes;"
	for (i = 0; i < 100000; i++)
		printf "filter f%d = true* '\''\\x%02x'\'' '\''\\x%02x'\'' '\''\\x%02x'\'';\n", i, i % 256, i / 256 % 256, i / 65536
}' >filters.re
awk 'BEGIN {
	printf "protocol bytes;\nfilter f = true*"
	for (i = 0; i < 250000; i++)
		printf " '\''\\x%02x'\''", (7 * i + i / 256) % 256
	print ";"
}' >factors.re
try filters.re -o x.bin
try factors.re -o x.bin
try --verify=off --overlay none filters.re -o x.bin
try --verify=off --overlay none factors.re -o x.bin
