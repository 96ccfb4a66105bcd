# $ for a in '--bound 9' '--target etm4:a53 --bound x' '--target etm4:a53 --bound 65536' '--target etm4:a53 --bound 9 --emit=ast' '--target etm4:a53 --bound 9'; do $NFACC $a $CASES/../../examples/etm/count32.re -o out; echo "$a: $?"; ls out; done 2>&1 | grep -v -e ^Try -e 'ls:'
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Wrong uses of --bound, and a machine that is no regulator.
