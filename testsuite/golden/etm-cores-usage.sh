# $ cd $CASES/../../examples; for a in '--cores 2 inflight/inflight.re' '--target etm4:a53 --cores 1 etm/tb22.re' '--target etm4:a53 --cores 65 etm/tb22.re' '--target etm4:a53 --cores x etm/tb22.re' '--target etm4:a53 --cores 4 etm/count32.re' '--target etm4:a53 --cores 4 --inspect x'; do $NFACC $a; echo "$a: $?"; done 2>&1 | grep -v ^Try
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Wrong uses of --cores, and a machine that has nothing to throttle by.
