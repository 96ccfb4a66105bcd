# $ $NFACC --target etm4:a53 $CASES/../../examples/etm/tb22.re --layout=authors -Dbudget=6 -Dperiod=6000 --bound 5
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# A bound in every reading: from 15 to 18 lines more than n budgets.
