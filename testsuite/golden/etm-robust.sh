# $ for f in pr pr13 tb31 tb22 tb13 tb31-exact; do for l in fewest robust; do $NFACC --target etm4:a53 --layout=$l $CASES/../../examples/etm/$f.re -Dbudget=28 -Dperiod=6001 -o $l.regs; sed -n '1s/ (.*//;1p' $l.regs; done; $NFACC --target etm4:a53 --layout=robust $CASES/../../examples/etm/$f.re -Dbudget=28 -Dperiod=6001 --reading=default --reading=priority --reading=overlap; done
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# The fewest selectors, and the fewest that mean the source in both priorities of the sequencer, and whether
# or not a counter pulses that is reset. What relies on one answer is warned of.
