# $ for l in 26 27; do $NFACC --target etm4:a53 $CASES/../../examples/etm/pr.re --rate 350MB/s --clock 1.2GHz --period 5us --bound $l; done | grep -A 10 ^at
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# The rate of which the paper says that periodic replenishment holds it at 5 us: 27 lines. It has a bound with 26 late
# lines and, with one more, none.
