# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# A node that could send more messages than may be under way: the warning points at the rule, and names the
# node, the message and the number.
exec 2>&1
cat >rules.coh <<'END'
protocol eci;
checker c;
node cpu: n = 0 1 2;
node fpga: m = 0 1;
flight cpu 1;
fpga: ? R12, R13;
cpu: n=0 ! R12 : n=1;
cpu: n=1 ! R12, R13 : n=2;
cpu: n=2 ? RA2 : n=0;
fpga: ! RA2;
cpu: n=1 : n=2;
fpga: m=0 : m=1;
END
$NFACC --overlay none -Wno-checker-lines -Wno-checker-order --check rules.coh
grep -v flight rules.coh >usual.coh
$NFACC --overlay none -Wno-checker-lines -Wno-checker-order --check usual.coh
sed 's/^flight cpu 1/flight cpu 2; flight fpga 8/' rules.coh >most.coh
$NFACC --overlay none -Wno-checker-lines -Wno-checker-order --check most.coh
