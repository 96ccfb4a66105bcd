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
printf 'overlay shadow; shadow yes; label_swap yes; payload 64;\n' >shadow.ov
echo 'protocol data; filter f = true* any[payload[7..0] == 3];' >payload.re
echo 'tick 5; filter f = true* tick true;' >tick.re
$NFACC -I . --fit --overlay ./shadow.ov tick.re 2>&1 >table || echo "exit code $?"
# Labels swap, and payload is tested.
$NFACC -I . --fit --overlay ./shadow.ov payload.re -o few.ov >table
grep -o "shadow yes\|label_swap yes\|payload_tests .;" few.ov
$NFACC -I . --overlay ./shadow.ov payload.re -o payload.bin || echo "exit code $?"

# Each opcode but the idle one is matched, and the other class of each by no predicate, as the idle
# one. So slots need one letter more than there are opcodes. With payload and with the header.
cat >tiny.proto <<'END'
protocol tiny;
header 16;
payload 64;
opcode 0..1;
idle 3;
groups left;
types T { A 0; B 1; C 2; }
field low 4..7 of T_A, T_B, T_C;
END
for test in 'low != 1' 'payload[3..0] != 1'; do
	printf 'protocol tiny;\nfilter f = true* any[%s];\n' "$test" >idle.re
	timeout 60 $NFACC -I . --overlay default --check idle.re || echo "exit code $?"
	timeout 60 $NFACC -I . --fit idle.re -o fitted.ov | grep more
	$NFACC -I . --overlay ./fitted.ov --check idle.re || echo "exit code $?"
	sed 's/letter_bits 3/letter_bits 0/' fitted.ov >less.ov
	$NFACC -I . --overlay ./less.ov --check idle.re || echo "exit code $?"
done

# Many tests and many letters: what is too little is said soon.
{
	echo 'protocol tiny;'
	for i in 0 1 2 3 4 5 6 7; do
		printf 'filter f%d = true* any[payload[%d..%d] in 20..%d];\n' $i $((8 * i + 7)) $((8 * i)) $((90 + i))
	done
} >many.re
timeout 60 $NFACC -I . --overlay payload --check many.re || echo "exit code $?"
