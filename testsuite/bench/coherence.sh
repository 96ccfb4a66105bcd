#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# coherence.sh [TRACE]: what the checkers of examples/coherence/eci.coh say of traces: of 12 clean ones of 50,000
# batches, of the same with several messages of a line in a batch, of TRACE, and of faults with ten
# seeds each. Then which projections fit the default overlay. NFACC, NFARUN, NFAGEN and SRCDIR are set.
set -eu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

compile() {
	"$NFACC" --overlay none --substream 0,1048576 "$@"
}
compile "$SRCDIR/examples/coherence/eci.coh" -o "$tmp/any.bin"
compile --form=only "$SRCDIR/examples/coherence/eci.coh" -o "$tmp/only.bin"
compile "$SRCDIR/examples/coherence/moesi-tables.coh" -o "$tmp/tables.bin"
"$NFACC" --overlay none "$SRCDIR/examples/slow/slow.re" -o "$tmp/ticks.bin"
checkers='any only tables ticks'

# alarms CHECKER TRACE: prints how many batches it accepts. A tick is longer than any answer takes.
alarms() {
	tick=
	[ "$1" != ticks ] || tick=--tick=1000
	"$NFARUN" --count --substream 0,1048576 ${tick:+"$tick"} "$tmp/$1.bin" "$2" 2>/dev/null |
		sed -n 's/^accepted: \([0-9]*\),.*/\1/p'
}
# add FORM TRACE: adds its alarms to the variable of that name.
add() {
	eval "$1=\$(($1 + $(alarms "$1" "$2")))"
}
row() {
	printf '%-32s %7s %7s %7s %7s\n' "$@"
}
row alarms any only tables ticks
if [ $# -gt 0 ]; then
	# shellcheck disable=SC2046
	row 'capture' $(for c in $checkers; do alarms "$c" "$1"; done)
else
	echo 'capture: none, since SHARED names no folder with traces/enzian-iperf-*.csv'
fi
any=0 only=0 tables=0 ticks=0
for mix in balanced read stream contended; do
	for crossing in 0 5 50; do
		"$NFAGEN" -q --mix=$mix --crossing $crossing --lines 8 -n 50000 -f compact >"$tmp/trace"
		for c in $checkers; do
			add "$c" "$tmp/trace"
		done
	done
done
row '12 traces without faults' $any $only $tables $ticks
only=0
for mix in balanced read stream contended; do
	for crossing in 0 5 50; do
		"$NFAGEN" -q --mix=$mix --crossing $crossing --lines 4 --merge 100 -n 50000 -f compact \
			>"$tmp/trace"
		add only "$tmp/trace"
	done
done
row 'the same, 100 cycles merged' - $only - -
printf '\n'
row 'found, of 10 seeds' any only tables ticks
for fault in lost-ack double-request wrong-response never-completed; do
	any=0 only=0 tables=0 ticks=0
	for seed in 1 2 3 4 5 6 7 8 9 10; do
		"$NFAGEN" -q --seed $seed --fault=$fault --lines 8 -n 4000 >"$tmp/trace" 2>/dev/null
		for c in $checkers; do
			[ "$(alarms "$c" "$tmp/trace")" = 0 ] || eval "$c=\$(($c + 1))"
		done
	done
	row $fault $any $only $tables $ticks
done
printf '\n'
for projection in R,RA F,A R,RA,V RA,V,A; do
	for form in any only; do
		code=0
		"$NFACC" -O2 --form=$form --project $projection --substream 0x8080,8 --check \
			"$SRCDIR/examples/coherence/eci.coh" >/dev/null 2>&1 || code=$?
		case $code in
		0) fits='fits the default overlay' ;;
		3) fits='does not fit the default overlay' ;;
		*) fits="exit code $code" ;;
		esac
		printf '%-10s %-5s %s\n' $projection $form "$fits"
	done
done
"$NFACC" -O2 --project=auto --substream 0x8080,8 --check "$SRCDIR/examples/coherence/eci.coh" 2>&1
