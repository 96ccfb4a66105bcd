# $ for a in '--target etm4' '--target etm4:' '--target etm4:a99' '--target ete:a53' '--target etm4:armv9' '--target etm4:./no.etm' '--target etm4:a53 --emit=svg' '--target etm4:a53 --emit=overlay' '--target ete:armv9 --emit=cscfg' '--emit=table --overlay none' '--target etm4:a53 --layout=x' '--target etm4:a53 --list'; do $NFACC $a $CASES/../../examples/etm/count32.re -o out; echo "$a: $?"; ls out; done 2>&1 | grep -v -e ^Try -e 'ls:'
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
