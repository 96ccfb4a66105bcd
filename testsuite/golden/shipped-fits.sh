# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# If labels, lines, window or counters don't fit, notes name the smallest shipped overlay that fits,
# if there is one, and --overlay none, which always fits.
exec 2>&1
try() {
	printf '%s\n' "$1" >x.re
	shift
	echo "nfacc $*: $(cat x.re)"
	$NFACC "$@" --check x.re >said 2>&1
	echo "exit code $?"
	grep -e error -e shipped -e none said
	$NFACC --check --overlay none x.re || echo 'not even none'
	shipped=$(sed -n 's/.*shipped.*--overlay //p' said)
	[ -z "$shipped" ] || $NFACC --check --overlay "$shipped" x.re || echo "not $shipped"
}
try 'filter f = true* R12; filter g = true* R13;' --overlay table8-300 --protocol eci-coherence
try 'substream cl from 0 count 8; filter f = true* R12;' --overlay 2,2,1,0,1
try 'substream cl from 0 count 9; filter f = true* R12;'
try 'substream cl from 0 count 9000000; filter f = true* R12;'
try 'window 65; log = all; filter f = true* R12 None(R12)* R13;'
try 'counter c = true* R12 at 2; filter f = @c;'
try 'counter c = true* R12 at 100000; filter f = @c;' --overlay counters
try 'counter a = true* R12 at 2 roll; counter b = @a at 3; filter f = @b;' --overlay counters
try 'filter f = true* R12 R13 R12;' --overlay 1,2,1,0
