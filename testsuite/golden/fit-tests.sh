# $ sh $SELF
# --fit for files with guards, ticks, keys, broadcast messages and windows of two sizes.
for f in "$SRCDIR"/examples/*/*.re; do [ ! -f "${f%.re}.out" ] || cp "$f" .; done
cp "$SRCDIR"/examples/*/*.proto .
for files in range slow transaction watchdog trigger 'range slow unanswered'; do
	echo "$files"
	set --
	for f in $files; do
		set -- "$@" $f.re
	done
	$NFACC -I . --fit "$@" -o fitted.ov | grep -v tried
	grep -e guards -e ranges -e letter_bits -e time -e window_after -e keys \
		-e broadcast fitted.ov
	for f; do
		$NFACC -I . --overlay ./fitted.ov --check "$f" || echo "exit code $?"
	done
	echo
done

# Each parameter is as small as it can be: one less is too little.
$NFACC --fit range.re -o fitted.ov >table
for less in 's/guards 2/guards 1/' 's/letter_bits 6/letter_bits 5/'; do
	sed "$less" fitted.ov >less.ov
	$NFACC --overlay ./less.ov --check range.re 2>&1 | grep -e error -e enough
done

# More tests of one message than any overlay has.
{
	comma=
	printf 'filter f = true* Any('
	for i in 1 2 3 4 5 6 7 8 9; do
		printf '%sR12[rreqid == %d]' "$comma" $i
		comma=', '
	done
	echo ');'
} >tests.re
$NFACC --fit tests.re || echo "exit code $?"

# Parameters that exclude each other.
printf 'protocol data extends eci;\npayload 64;\n' >data.proto
printf 'overlay shadow; shadow yes; payload 64;\n' >shadow.ov
echo 'protocol data; filter f = true* any[payload[7..0] == 3];' >payload.re
echo 'tick 5; filter f = true* tick true;' >tick.re
for file in payload tick; do
	$NFACC -I . --fit --overlay ./shadow.ov $file.re 2>&1 >table || echo "exit code $?"
done
$NFACC -I . --overlay ./shadow.ov payload.re -o payload.bin || echo "exit code $?"
