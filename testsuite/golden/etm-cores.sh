# $ for e in table sysfs handler; do $NFACC --target etm4:a53 $CASES/../../examples/etm/tb22.re -Dbudget=28 -Dperiod=6001 --cores 3 --emit=$e | grep -e '# core' -e 'CTI.* 0x.*[1-9]$' -e TRACEID -e 'channels.chan_gate' -e attach -e ' -eq ' -e CORES; done
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Three cores that throttle each other: the channels, the script, and the handler.
