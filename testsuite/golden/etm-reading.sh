# $ for r in priority zero priority,zero delay zero,zero two 'zero; reading zero'; do sed "s/etm a53/etm mine/; s/reading default/reading $r/" $CASES/../../targets/a53.etm >mine.etm; echo "$r:"; $NFACC --target etm4:./mine.etm --stats $CASES/../../examples/etm/tb31.re -Dbudget=28 -Dperiod=6001 -o out.regs 2>err; echo $?; grep -E '^proof:|error:' err; if [ -f out.regs ]; then sed -n '1s/ (.*//;1p;/CNTRLDVR/p' out.regs; $NFACC --inspect out.regs --target etm4:./mine.etm | sed -n '1p;/^tick/p;/counter/p'; rm out.regs; fi; done; sed 's/etm a53/etm mine/; s/reading default/reading zero/' $CASES/../../targets/a53.etm >mine.etm; for p in 65535 65536; do $NFACC --target etm4:./mine.etm $CASES/../../examples/etm/pr.re -Dbudget=28 -Dperiod=$p -o out.regs; echo $?; done
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# A description says how its core behaves at the points that no text settles. The mapping is for
# that, and is proved for that.
