# $ $NFACC --target etm4:a53 $CASES/../../examples/etm/strobing.re -D cycles=5001 -D off=10000 | awk '/RSCTLR[23] |CNTRLDVR|CNTCTLR|SEQEVR[01]|VICTLR/ { print $2, $3 }'
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# The values of Linux's configuration for AutoFDO (coresight-cfg-afdo.c), with a window of 5000 and a
# period of 10000; TRCVICTLR has its event, and SSSTATUS.
