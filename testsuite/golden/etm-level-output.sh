# $ printf 'machine m { counter c at 5 latch; state a start; state b output(o); count c : Any(LINES); reset c : Any(FETCH_EL1); a -> b : @c; b -> a : !@c; }\n' >m.re; $NFACC --target etm4:a53 m.re -o m.regs; grep -e EVENTCTL0R -e SEQSTR -e 'RSCTLR4 ' m.regs; $NFACC --inspect m.regs --target etm4:a53 -o i.re; $NFACC --target etm4:a53 i.re -o i.regs; $NFACC --inspect i.regs --target etm4:a53 m.re
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Two states that a level tells apart share the one state of the sequencer that is left; the output is
# the level.
