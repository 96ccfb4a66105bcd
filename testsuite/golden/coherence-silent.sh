# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Rules without any message: the checker has nothing to see, and never finds an error.
exec 2>&1
cat >rules.coh <<'END'
protocol eci;
checker silent;
node cpu: x = 0 1;
node fpga: y = 0;
cpu: x=0 : x=1;
cpu: x=1 : x=0;
END
for restart in anew never; do
	$NFACC --overlay none --emit=re --restart=$restart rules.coh
done
