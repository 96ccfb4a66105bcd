# $ sh $SELF
# Names can't nest deeper than parentheses, nor expand without bound. Such files give errors with a
# place, in little time and memory.
try() { echo "$1 $2"; timeout 60 "$NFACC" --overlay none --verify=off "$1.re" -o x.bin 2>&1; echo "exit code $?"; }
# chain NAME N FIRST NEXT LAST: N names, where PREV in NEXT is the name before, and a filter LAST.
chain() {
	awk -v n="$2" -v first="$3" -v next_="$4" -v last="$5" '
	function fill(text, name, part, k, i, all) {
		k = split(text, part, "PREV")
		all = part[1]
		for (i = 2; i <= k; i++)
			all = all name part[i]
		return all
	}
	BEGIN {
		print "protocol bytes;\ncounter c = true* '\''c'\'' at 2;\nlet a0 = " first ";"
		for (i = 1; i <= n; i++)
			print "let a" i " = " fill(next_, "a" (i - 1)) ";"
		print "filter f = " fill(last, "a" n) ";"
	}' >"$1.re"
	try "$1" "$2"
}
chain stars 500 "'x'" "(PREV 'b')*" PREV
chain stars 501 "'x'" "(PREV 'b')*" PREV
chain stars 100000 "'x'" "(PREV 'b')*" PREV
chain turns 5000 "'x'" "PREV 'b' | 'c'" "'d' PREV"
chain options 5000 "'x'" "(PREV 'b')?" PREV
chain flat 5000 "'x'" "PREV 'b'" "eps PREV"
chain branches 100000 "'x'" "PREV | 'b'" "true* PREV"
chain stacked 5000 "'x'" "PREV*" PREV
chain double 100000 "'x'" "(PREV PREV)" PREV
chain nothing 5000 eps "(PREV PREV)" "PREV 'x'"
chain active 5000 @c "PREV | PREV" "PREV 'x'"
