# $ $NFACC --target etm4:a53 $CASES/../../examples/etm/pr.re --layout=authors -Dbudget=28 -Dperiod=6000 --bound 27
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# A bound in the default reading alone: 350 MB/s at 5 us, and all these lines come late.
