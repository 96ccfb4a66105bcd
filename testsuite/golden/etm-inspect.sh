# $ for f in pr strobing; do $NFACC --inspect $CASES/../etm/regs/$f.regs --target etm4:a53 -o $f.re; cat $f.re; $NFACC --target etm4:a53 $f.re -o x; $NFACC --inspect $CASES/../etm/regs/$f.regs --target etm4:a53 $f.re; done; $NFACC --inspect $CASES/../etm/regs/pr.regs --target etm4:a53 $CASES/../../examples/etm/pr.re -D budget=27 -D period=5999; echo $?
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Registers read back as a machine, which means the same; and held against a source.
