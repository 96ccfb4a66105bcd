# $ for f in pr pr-stop pr-always pr-user pr13 tb31 tb22 tb13 tb31-exact count32; do $NFACC --target etm4:a53 --layout=fewest -Wno-etm-priority $CASES/../../examples/etm/$f.re $([ $f = count32 ] || echo -Dbudget=28 -Dperiod=6001) | sed -n '1s/:.*\(: [0-9]* selectors\).*/\1/;1s/ (.*//;1p'; done
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# How many selectors each regulator takes: the fewest, which is proved by exhaustion.
