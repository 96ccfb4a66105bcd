# $ sh $SELF
# Names can't nest deeper than parentheses, nor expand without bound: errors with a place, in little
# time and memory.
try() { echo "$1 $2"; timeout 60 "$NFACC" --overlay none --verify=off "$1.re" -o x.bin 2>&1; echo "exit code $?"; }
# chain NAME N FIRST NEXT LAST: N names, PREV in NEXT being the name before, and a filter of LAST.
chain() {
	awk -v n="$2" -v first="$3" -v next_="$4" -v last="$5" 'BEGIN {
		print "protocol bytes;\ncounter c = true* '\''c'\'' at 2;\nlet a0 = " first ";"
		for (i = 1; i <= n; i++) {
			x = next_
			gsub("PREV", "a" i - 1, x)
			print "let a" i " = " x ";"
		}
		gsub("PREV", "a" n, last)
		print "filter f = " last ";"
	}' >"$1.re"
	try "$1" "$2"
}
chain stars 500 "'x'" "(PREV 'b')*" PREV
chain stars 501 "'x'" "(PREV 'b')*" PREV
chain stars 100000 "'x'" "(PREV 'b')*" PREV
chain turns 5000 "'x'" "PREV 'b' | 'c'" "'d' PREV"
chain options 5000 "'x'" "(PREV 'b')?" PREV
chain flat 5000 "'x'" "PREV 'b'" PREV
chain stacked 5000 "'x'" "PREV*" PREV
chain double 100000 "'x'" "(PREV PREV)" PREV
chain nothing 5000 eps "(PREV PREV)" "PREV 'x'"
chain active 5000 @c "PREV | PREV" "PREV 'x'"
