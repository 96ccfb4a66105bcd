# $ printf 'protocol pmu_a53;\ntick 1;\nmachine m { state a start; state b output(o); a -> b : tick; b -> a : tick; }\n' >m.re; $NFACC --target etm4:a53 m.re -o m.regs; grep -e CNTRLDVR0 -e CNTVR0 m.regs; $NFACC --inspect m.regs --target etm4:a53 -o i.re; grep tick i.re; $NFACC --target etm4:a53 i.re -o i.regs; $NFACC --inspect i.regs --target etm4:a53 m.re; sed 's/\(TRCCNTVR0 *0x0000000\)1/\10/' m.regs >now.regs; $NFACC --inspect now.regs --target etm4:a53 m.re; echo $?
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# A tick in every cycle begins with the second one, as in an engine, whose first batch has none. Registers
# that tick in the first cycle differ.
