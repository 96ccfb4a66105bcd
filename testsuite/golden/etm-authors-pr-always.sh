# $ $NFACC --target etm4:a53 --layout=authors $CASES/../../examples/etm/pr-always.re -D budget=251 -D period=24001 | awk '!/^#|SYNCPR|TRACEIDR/ && $3 != "0x00000000" { print $2, $3 }'
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# The register values of the program published with the paper on ETM² (reload values 250 and 24000).
