# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# What needs rules whose states are not listed is counted up to a size, which is that of all checkers together.
exec 2>&1
echo '10 m0.AR0_READ_ONCE@0:0x0' >none.bt
for checkers in 1 3; do
	set --
	[ $checkers = 1 ] || set -- --project ReadOnce0 --project ReadShared0 --project ReadUnique0
	"$NFACC" -I "$SRCDIR/protocols" --overlay none --verify=off --form=follow --checker-states 100 -Wno-checker-sets -Wno-checker-lines \
		"$@" "$SRCDIR/protocols/ace.coh" -o ace.bin
	"$NFARUN" -q --count --by rule ace.bin none.bt | head -n 3
done
