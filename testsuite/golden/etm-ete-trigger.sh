# $ echo 'tick 99; machine x { counter c at 5 roll; state a start; state b output(out0); count c : Any(CTI_TRIGGER@2, L1D_CACHE_REFILL); a -> b : @c; b -> a : tick; }' >x.re; $NFACC --target ete:armv9 x.re -o x.regs; grep -e input -e EXTINSEL x.regs; $NFACC --target ete:armv9 --inspect x.regs x.re | grep -e CTI -e mean -e equal; printf '%s\n' '1 cti.CTI_TRIGGER@2' '2 pmu.L1D_CACHE_REFILL@3' '3 cti.CTI_TRIGGER@3' '4 cti.CTI_TRIGGER@2' '5 pmu.L1D_CACHE_REFILL@3' '6 cti.CTI_TRIGGER@2' >x.bt; $BUILDDIR/etmsim --core armv9 x.regs x.bt
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# A trigger of the CTI on a core with ETE is an event. Event 3 is not trigger 3.
