# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Nobody wrote the text of a derived checker, so no warning speaks of it. What is wrong with the checker as
# a whole is said where its name is.
exec 2>&1
for form in any only; do
	$NFACC -Wno-checker-order -I "$SRCDIR/examples/tilelink" --overlay none --substream 0,1024 --form=$form --check \
		"$SRCDIR/examples/tilelink/tilelink.coh"
done
cp "$SRCDIR/examples/coherence/eci.coh" .
$NFACC -Wno-checker-order --overlay none --substream 0,1024 --project R --project R,RA --project RA,R --check eci.coh
# Messages without an address are on no line.
cat >bus.proto <<'END'
protocol bus;
header 16; opcode 12..15; address 4..7 line 64;
groups core, mem;
types T from core { ASK 1; HINT 2 address; }
types U from mem { GIVE 3 address; TAKE 4 address; }
event ask from core = T_ASK;
event hint from core = T_HINT;
event give from mem = U_GIVE;
END
cat >rules.coh <<'END'
protocol bus;
checker c;
node core: v = 0 1;
node mem: w = 0 1;
core: v=0 ! ask : v=1;
core: v=1 ? give : v=0;
mem: w=0 ? ask : w=1;
mem: w=1 ! give : w=0;
END
$NFACC -Wno-checker-order -I . --overlay none --substream 0,1024 --check rules.coh
# As a file of its own the text is somebody's.
$NFACC -Wno-checker-order -I . --overlay none --emit=re rules.coh >rules.re
$NFACC -Wno-checker-order -I . --overlay none --substream 0,1024 --check rules.re
