# $ cd $CASES/../../examples/etm; for a in 'pr.re --emit=handler -D budget=28 -D period=6001' 'strobing.re -D cycles=9 -D off=3 --emit=handler' 'strobing.re -D cycles=9 -D off=3 --overlay none' 'count32.re --overlay thesis --emit=sysfs'; do $NFACC --target etm4:a53 $a -o /dev/null; echo "$a: $?"; done 2>&1 | grep -v -e ^Try
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Outputs without a use, and options that contradict each other.
