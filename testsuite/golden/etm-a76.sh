# $ $NFACC --target etm4:a76 $CASES/../../examples/etm/pr.re -Dbudget=28 -Dperiod=6001 | grep EXTINSEL; $NFACC --target ete:armv9 $CASES/../../examples/etm/pr.re -Dbudget=28 -Dperiod=6001 | grep EXTINSEL
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
