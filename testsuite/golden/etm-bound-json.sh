# $ $NFACC --target etm4:a53 $CASES/../../examples/etm/tb13.re --layout=authors -Dbudget=28 -Dperiod=6000 --bound 27 --emit=json | tee out.json; python3 -m json.tool out.json >/dev/null && echo valid
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# The same as JSON.
