# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# The verbs of nfarun: each does what the form without a verb does, refuses what belongs to others,
# and explains itself on one screen.
exec 2>&1
cat >trace.bt <<'END'
10 core@0=0x0011 core@1=0x1020
15 core@0=0x2003 mem=0x3012
20 mem=0x3011
40 core@0=0x1050
END
sed '/part/d; s/ idle 15;//' "$CASES/bus.txt" >bus.proto
cat >>bus.proto <<'END'
pair read: REQ_READ -> ANS_DATA by line, id;
END
echo 'protocol bus; filter f = true* REQ_READ; filter g = true* REQ_WRITE;' |
	$NFACC -I . --overlay none - -o f.bin
$NFARUN -p ./bus.proto -t compact trace.bt -q -o trace.nft

# same A , B: both command lines print the same and end alike. The word "," is between them.
same() {
	a=
	while [ "$1" != , ]; do
		a="$a $1"
		shift
	done
	shift
	$NFARUN $a >a.txt 2>&1
	echo "exit code $?" >>a.txt
	$NFARUN "$@" >b.txt 2>&1
	echo "exit code $?" >>b.txt
	if cmp -s a.txt b.txt; then
		echo "same: nfarun$a"
	else
		echo "differs: nfarun$a"
		diff a.txt b.txt
	fi
}
same run f.bin trace.bt , f.bin trace.bt
same run --count --by label f.bin trace.bt , --count --by label f.bin trace.bt
same run --explain=first f.bin trace.bt , --explain=first f.bin trace.bt
same run -p ./bus.proto -e 'REQ_READ' trace.bt , -p ./bus.proto -e 'REQ_READ' trace.bt
same run f.bin --swap 2 f.bin trace.bt , f.bin --swap 2 f.bin trace.bt
same ask --latency --by type -p ./bus.proto trace.bt , --latency --by type -p ./bus.proto trace.bt
same ask --open -p ./bus.proto trace.bt , --open -p ./bus.proto trace.bt
same ask --rate 10 -p ./bus.proto trace.bt , --rate 10 -p ./bus.proto trace.bt
same ask --in-flight -p ./bus.proto trace.bt , --in-flight -p ./bus.proto trace.bt
same ask --count -p ./bus.proto trace.bt , --count --by type -p ./bus.proto trace.bt
same convert -t csv -p ./bus.proto trace.bt , -t csv -p ./bus.proto trace.bt
same inspect f.bin , --inspect f.bin
same inspect -I . -p bus , --list-types -I . -p bus
same inspect --list-types -t csv , --list-types -t csv
for i in 0 1; do
	$NFARUN run --shard $i/2 f.bin trace.nft -o part.$i
done
same merge f.bin trace.nft part.0 part.1 , --merge f.bin trace.nft part.1 part.0

echo '== a capture names its protocol'
same ask -I . --count --by line trace.nft , -I . --count --by line -p bus trace.nft
same -I . --count --by line trace.nft , -I . --count --by line -p bus trace.nft
same convert -I . trace.nft , -p ./bus.proto trace.nft
$NFARUN --count --by line trace.bt
$NFARUN --count --by line <trace.bt

echo '== what belongs to other verbs'
for wrong in 'run --histogram' 'ask --lines' 'ask --shard 0/2' 'ask --merge' 'convert -e true' 'inspect -q' \
	'merge --shard 1/2' 'merge -p bus' 'convert --count' 'ask --histo' 'inspect --latncy' 'ask -x' \
	'run --latency trace.bt' 'run -p bus trace.bt' 'ask trace.bt' 'inspect' 'inspect -p bus f.bin' 'merge f.bin' \
	'ask --latency --open' 'run'; do
	$NFARUN $wrong
	echo "exit code $?"
done

echo '== files with the names of verbs'
cp f.bin run
cp trace.bt ask
same ./run ask , f.bin trace.bt
same run run ask , f.bin trace.bt
$NFARUN run
$NFARUN ask
rm ask
$NFARUN -q ask --latency trace.bt

echo '== one screen each, of 50 lines'
for verb in run ask convert inspect merge; do
	$NFARUN $verb --help >help.txt
	echo "$verb: exit code $?, $([ "$(wc -l <help.txt)" -le 50 ] || echo too) $(wc -l <help.txt) lines"
	awk 'length($0) > 100 { print "too wide: " $0 }' help.txt
	grep -c "^ *nfarun $verb \|^usage: nfarun $verb " help.txt
done
$NFARUN convert --help
